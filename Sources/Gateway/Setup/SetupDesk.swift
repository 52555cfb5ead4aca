import Accounts
import Concerts
import Connections
import Contracts
import Jobs
import Model
import Storage
import Vault

/// The gateway's side of setup: joins the domain to the queue and the event stream. It seals what people enter, and
/// opens nothing.
package struct SetupDesk: Sendable {
    let queue: JobQueue
    let sealer: CurrentPublicKey
    let cityNames: CityNames

    package init(queue: JobQueue, sealer: CurrentPublicKey, cityNames: CityNames) {
        self.queue = queue
        self.sealer = sealer
        self.cityNames = cityNames
    }

    // MARK: Seeing

    func checklist(userID: String) async throws -> SetupChecklist {
        let workers = queue.dispatcher.workerNames
        return try await queue.database.read { try Self.checklist(userID: userID, workers: workers, in: $0) }
    }

    func step(_ provider: CredentialProvider, userID: String) async throws -> SetupStep {
        guard let step = try await checklist(userID: userID).step(provider) else { throw Problem.notFound("step") }
        return step
    }

    /// - Parameter workers: whose word about the vault counts.
    private static func checklist(
        userID: String, workers: Set<String>, in reader: ReadTransaction
    ) throws -> SetupChecklist {
        try SetupChecklist(
            userID: userID, city: reader.accounts.homeCity(userID: userID),
            vaultReaders: reader.vault.readers(among: workers), in: reader)
    }

    /// What setup adds to the event stream: the step that changed, as it stands now; also by a job that began to wait
    /// for scopes.
    var eventSource: EventSource {
        let dispatcher = queue.dispatcher
        return EventSource("setup") { reader, userID, after, limit in
            let connections = try reader.connections.records(userID: userID, changedAfter: after, limit: limit)
                .map { (provider: $0.provider, change: $0.change) }
            let jobs = try reader.jobs.jobsAwaitingScopes(ofUser: userID, changedAfter: after, limit: limit)
            let changed = (connections + jobs).sorted { $0.change < $1.change }.prefix(limit)
            guard !changed.isEmpty else { return [] }
            let checklist = try Self.checklist(userID: userID, workers: dispatcher.workerNames, in: reader)
            return changed.compactMap { provider, change in
                guard let step = CredentialProvider(rawValue: provider).flatMap(checklist.step) else { return nil }
                return EventSource.Change(
                    number: change, data: JSONWriter.object { step.writeMembers(to: &$0) })
            }
        }
    }

    // MARK: Proving

    /// Has a candidate proven by the worker whose upstream it is for, and waits for the verdict. Nothing is kept of one
    /// that is not accepted, nor of one whose person has entered another before the verdict came.
    ///
    /// - Throws: a ``Problem``: 422 when it is refused, 409 when it counts no more, 503 when nobody knows.
    func prove(_ candidate: CredentialCandidate, by kind: VerificationKind) async throws {
        let (userID, provider) = (candidate.userID, candidate.provider)
        let result: VerificationResult?
        do {
            result = try await queue.run(kind, for: userID, within: WorkerVerdict.patience) { [sealer] transaction in
                // The last entry counts, not the last verdict.
                try transaction.vault.deleteCandidates(userID: userID, provider: provider.rawValue)
                try candidate.insert(sealedBy: sealer, in: transaction, now: .now())
                return VerificationPayload(candidateID: candidate.id)
            }
        } catch let error as VaultError {
            throw Problem.vaultUnavailable(VaultTrouble(error))
        } catch is AwaitedJobError {
            // Nobody waits any more: whatever else comes of it, nothing is kept. Should the database fail before, the
            // candidate comes to its own end soon enough.
            try await queue.database.write { _ = try $0.vault.deleteCandidate(id: candidate.id) }
            throw Problem.noVerdict(provider)
        }
        guard let result else { throw Problem.noVerdict(provider) }
        switch result.verdict {
        case .accepted: return
        case .gone: throw Problem.superseded(provider)
        case .refused, .unavailable: throw Problem(result, provider)
        }
    }

    // MARK: Changing and removing

    /// Saves where a person lives who has a key already. What they entered before and is not proven yet would take
    /// its city with it, and counts no more.
    ///
    /// - Throws: a ``Problem`` when they have none.
    func moveHome(to city: String, userID: String) async throws {
        let provider = CredentialProvider.ticketmaster
        let isKnown = try await queue.database.write { transaction in
            guard try transaction.connections.record(userID: userID, provider: provider.rawValue) != nil,
                try transaction.vault.sealedSecret(
                    userID: userID, provider: provider.rawValue, field: SecretField.apiKey) != nil
            else { return false }
            try transaction.vault.deleteCandidates(userID: userID, provider: provider.rawValue)
            try transaction.accounts.setHomeCity(city, userID: userID, now: .now())
            try Self.noteHome(ofUser: userID, in: transaction)
            return true
        }
        guard isKnown else {
            throw Problem.invalidRequest(
                code: "invalidField", "$.apiKey: there is no key yet; enter it together with the city.",
                field: "$.apiKey")
        }
    }

    /// Makes the change of a person's city one of the step that shows it, whether they have entered a key or not.
    static func noteHome(ofUser userID: String, in transaction: WriteTransaction) throws {
        let (provider, now) = (CredentialProvider.ticketmaster, Timestamp.now())
        var record =
            try transaction.connections.record(userID: userID, provider: provider.rawValue)
            ?? ConnectionRecord(userID: userID, provider: provider, now: now)
        record.updatedAt = now
        try transaction.connections.put(record, now: now)
    }

    /// Forgets what a person entered, what is being proven included.
    func remove(_ provider: CredentialProvider, userID: String) async throws {
        try await queue.database.write { transaction in
            try transaction.vault.deleteCandidates(userID: userID, provider: provider.rawValue)
            try transaction.vault.deleteSecrets(userID: userID, provider: provider.rawValue)
            guard try transaction.connections.record(userID: userID, provider: provider.rawValue) != nil else { return }
            try transaction.connections.handle(.disconnected, userID: userID, provider: provider, now: .now())
        }
    }

    // MARK: Upkeep

    /// Deletes candidates that nobody took back in time.
    func prune(at time: PruningTime) async throws {
        guard try await queue.database.read({ try $0.vault.hasExpiredCandidates(at: time) }) else { return }
        try await queue.database.write { try $0.vault.pruneCandidates(at: time) }
    }
}

extension Problem {
    /// What a verdict is in the API.
    init(_ result: VerificationResult, _ provider: CredentialProvider) {
        let isRefused = result.verdict == .refused
        self.init(
            isRefused ? .unprocessableContent : .serviceUnavailable,
            code: result.code?.rawValue ?? Self.noVerdict(provider).code,
            title: isRefused
                ? "\(provider.displayName) does not accept this" : "\(provider.displayName) could not be asked",
            detail: (result.detail ?? Self.noVerdict(provider).detail)
                + (isRefused ? "" : " Nothing was saved."),
            field: result.field.map { "$." + $0 }, retryAfter: isRefused ? nil : result.retryAfter ?? 10)
        recovery = (isRefused ? Recovery.tellUser : .retryAt).rawValue
    }

    static func noVerdict(_ provider: CredentialProvider) -> Problem {
        var problem = Problem(
            .serviceUnavailable, code: "noVerdict", title: "\(provider.displayName) could not be asked",
            detail: "There was no answer in time. Try again in a moment; nothing was saved.", retryAfter: 5)
        problem.recovery = Recovery.retryAt.rawValue
        return problem
    }

    static func superseded(_ provider: CredentialProvider) -> Problem {
        var problem = Problem(
            .conflict, code: "superseded", title: "This entry counts no more",
            detail: "Another entry took its place, or it was removed, before \(provider.displayName) had answered. "
                + "Nothing of it was saved.")
        problem.recovery = Recovery.tellUser.rawValue
        return problem
    }

    static func vaultUnavailable(_ trouble: VaultTrouble) -> Problem {
        var problem = Problem(
            .serviceUnavailable, code: "vaultUnavailable", title: "Nothing can be kept safe at present",
            detail: trouble.sentence, retryAfter: 60)
        problem.recovery = trouble.recovery.rawValue
        return problem
    }
}
