import Accounts
import Concerts
import Connections
import Contracts
import Gateway
import JobStorage
import Jobs
import Model
import Storage
import Vault

/// The gateway's side of the setup: connects the domain to the job queue and the event stream. It seals the credentials
/// that people enter, and cannot open them.
package struct SetupService: Sendable {
    let queue: JobQueue
    let sealer: CurrentPublicKey
    let cityNames: CityNames
    /// `nil` where people need a Spotify app of their own.
    let spotifyClientID: String?
    /// The address to register with a person's own Spotify app; `nil` where Spotify accepts none.
    let spotifyRedirectURI: @Sendable () -> String?
    /// Whether the installation has a developer key for Apple Music, so that people need none of their own.
    let hasAppleMusicKey: Bool

    package init(
        queue: JobQueue, sealer: CurrentPublicKey, cityNames: CityNames, spotifyClientID: String?,
        spotifyRedirectURI: @escaping @Sendable () -> String? = { nil }, hasAppleMusicKey: Bool = false
    ) {
        self.queue = queue
        self.sealer = sealer
        self.cityNames = cityNames
        self.spotifyClientID = spotifyClientID
        self.spotifyRedirectURI = spotifyRedirectURI
        self.hasAppleMusicKey = hasAppleMusicKey
    }

    // MARK: The checklist

    func checklist(userID: String) async throws -> SetupChecklist {
        try await numberedChecklist(userID: userID).checklist
    }

    /// The checklist, and the number of the last change when it was read.
    func numberedChecklist(userID: String) async throws -> (checklist: SetupChecklist, seq: Int64) {
        let workers = queue.dispatcher.workerNames
        return try await queue.database.read { [self] reader in
            let seq = try reader.lastChange()
            return (try checklist(userID: userID, workers: workers, in: reader), seq)
        }
    }

    func step(_ provider: Provider, userID: String) async throws -> SetupStep {
        guard let step = try await checklist(userID: userID).step(provider) else { throw Problem.notFound("step") }
        return step
    }

    /// - Parameter workers: the names of the connected workers, whose vault keys count.
    private func checklist(
        userID: String, workers: Set<String>, in reader: ReadTransaction
    ) throws -> SetupChecklist {
        try SetupChecklist(
            userID: userID, kinds: queue.kinds, city: reader.accounts.homeCity(userID: userID),
            spotifyClientID: spotifyClientID,
            spotifyRedirectURI: spotifyRedirectURI(), hasAppleMusicKey: hasAppleMusicKey,
            vaultReaders: reader.vault.readers(among: workers), in: reader)
    }

    /// The events of the setup: each changed step as it is now. A job that begins to wait for scopes changes its step,
    /// too.
    var eventSource: EventSource {
        let dispatcher = queue.dispatcher
        return EventSource(.setupStep, topics: nil) { [self] reader, userID, after, limit in
            let connections = try reader.connections.records(userID: userID, changedAfter: after, limit: limit)
                .map { (provider: $0.provider, change: $0.change) }
            let jobs = try reader.jobs.jobsAwaitingScopes(ofUser: userID, changedAfter: after, limit: limit)
            let changed = (connections + jobs).sorted { $0.change < $1.change }.prefix(limit)
            guard !changed.isEmpty else { return [] }
            let checklist = try self.checklist(userID: userID, workers: dispatcher.workerNames, in: reader)
            return changed.compactMap { provider, change in
                guard let step = Provider(rawValue: provider).flatMap(checklist.step) else { return nil }
                return EventSource.Change(
                    number: change, id: provider, data: JSONWriter.object { step.writeMembers(to: &$0) })
            }
        }
    }

    // MARK: Verifying

    /// Has a worker verify a candidate, and waits for the result. A candidate is stored as the credential only if it is
    /// accepted and the person has not entered another one meanwhile.
    ///
    /// - Throws: a ``Problem``: 422 when the provider refuses it, 409 when another one replaced it, 503 when it could
    ///   not be verified.
    func verify(_ candidate: CredentialCandidate, by kind: VerificationKind) async throws {
        let (userID, provider) = (candidate.userID, candidate.provider)
        let result: VerificationResult?
        do {
            result = try await queue.run(
                kind, for: userID, within: JobQueue.upstreamAnswerTimeout
            ) { [sealer] transaction in
                // The last entry counts, whichever result arrives last.
                try transaction.vault.deleteCandidates(userID: userID, provider: provider.rawValue)
                try candidate.insert(sealedBy: sealer, in: transaction, now: .now())
                return VerificationPayload(candidateID: candidate.id)
            }
        } catch let error as VaultError {
            throw Problem.vaultUnavailable(VaultTrouble(error))
        } catch is JobWaitError {
            // Nobody is waiting for the result any longer. If this write fails, the candidate expires within two
            // minutes.
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

    /// Saves the home city of a person who has a Ticketmaster key. An earlier entry that is not verified yet is
    /// withdrawn, since it would replace the city.
    ///
    /// - Throws: a ``Problem`` when they have no key.
    func setHomeCity(_ city: String, userID: String) async throws {
        let provider = Provider.ticketmaster
        let isKnown = try await queue.database.write { transaction in
            guard try transaction.connections.record(userID: userID, provider: provider.rawValue) != nil,
                try transaction.vault.sealedSecret(
                    userID: userID, provider: provider.rawValue, field: SecretField.apiKey) != nil
            else { return false }
            try transaction.vault.deleteCandidates(userID: userID, provider: provider.rawValue)
            try transaction.accounts.setHomeCity(city, userID: userID, now: .now())
            try transaction.connections.recordHomeCityChange(userID: userID, now: .now())
            return true
        }
        guard isKnown else {
            throw Problem.invalidRequest(
                code: .invalidField, "$.apiKey: there is no key yet; enter it together with the city.",
                field: "$.apiKey")
        }
    }

    /// Deletes a person's credential, and a candidate that is being verified.
    func remove(_ provider: Provider, userID: String) async throws {
        try await queue.database.write { transaction in
            try transaction.vault.deleteCandidates(userID: userID, provider: provider.rawValue)
            try transaction.vault.deleteSecrets(userID: userID, provider: provider.rawValue)
            try transaction.connections.publishRemoval(of: provider, userID: userID)
            guard try transaction.connections.record(userID: userID, provider: provider.rawValue) != nil else { return }
            try transaction.connections.handle(.disconnected, userID: userID, provider: provider, now: .now())
        }
    }

    // MARK: Upkeep

    /// Deletes expired candidates.
    func prune(at time: PruningTime) async throws {
        guard try await queue.database.read({ try $0.vault.hasExpiredCandidates(at: time) }) else { return }
        try await queue.database.write { try $0.vault.pruneCandidates(at: time) }
    }
}

extension Problem {
    /// The problem for a candidate that was not accepted.
    init(_ result: VerificationResult, _ provider: Provider) {
        let isRefused = result.verdict == .refused
        self.init(
            isRefused ? .unprocessableContent : .serviceUnavailable,
            code: ProblemCode(reported: result.code?.rawValue, among: ProblemCode.connections),
            title: isRefused
                ? "\(provider.displayName) does not accept this"
                : "This could not be verified with \(provider.displayName)",
            detail: result.detail.map { isRefused ? $0 : $0 + " Nothing was saved." }
                ?? Self.noVerdict(provider).detail,
            field: result.field.map { "$." + $0 }, retryAfter: isRefused ? nil : result.retryAfter ?? 10)
        recovery = (isRefused ? Recovery.tellUser : .retryAt).rawValue
    }

    static func noVerdict(_ provider: Provider) -> Problem {
        var problem = Problem(
            .serviceUnavailable, code: .noVerdict, title: "This could not be verified with \(provider.displayName)",
            detail: "The answer did not arrive in time. Nothing was saved. Try again in a moment.", retryAfter: 5)
        problem.recovery = Recovery.retryAt.rawValue
        return problem
    }

    static func superseded(_ provider: Provider) -> Problem {
        var problem = Problem(
            .conflict, code: .superseded, title: "This entry was replaced or removed",
            detail: "You made another entry, or removed this one, before \(provider.displayName) had answered. None "
                + "of it was saved. Check the setup, and enter it again if it is the right one.")
        problem.recovery = Recovery.tellUser.rawValue
        return problem
    }
}
