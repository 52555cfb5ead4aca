import Contracts
import Library
import LibraryWriting
import Model
import Storage

/// A run of a sync: it performs the actions that ``SyncState`` decides on.
///
/// The state after a page is written in one transaction with the page's last rows. Meanwhile, the next two pages of
/// tracks are requested, each once the database has stored the page before it; other pages are requested one after the
/// other. So at most three pages are in memory, and a killed worker has fetched at most one page in vain.
package struct SyncRun: Sendable {
    package typealias Rows = @Sendable (WriteTransaction) throws -> Void

    /// The job that runs the sync.
    package struct Job: Sendable {
        package var id: String
        package var userID: String
        package var payload: LibrarySyncPayload
        /// Whether a failure would make the job a dead letter. In that case, the failing source is given up instead.
        package var isLastAttempt: Bool
        /// Writes rows and the state in one transaction (`LongJobContext.checkpoint`).
        package var checkpoint: @Sendable (SyncState, @escaping Rows) async throws -> Void
        package var report: @Sendable (JobProgress) -> Void

        package init(
            id: String, userID: String, payload: LibrarySyncPayload, isLastAttempt: Bool,
            checkpoint: @escaping @Sendable (SyncState, @escaping Rows) async throws -> Void,
            report: @escaping @Sendable (JobProgress) -> Void = { _ in }
        ) {
            self.id = id
            self.userID = userID
            self.payload = payload
            self.isLastAttempt = isLastAttempt
            self.checkpoint = checkpoint
            self.report = report
        }
    }

    /// The result of a run, and the rows to write with it.
    package struct Outcome: Sendable {
        package var result: LibrarySyncResult
        package var write: Rows
    }

    /// The sync has to wait for an earlier sync of the same user.
    package struct Postponement: Error, Sendable, Equatable {
        package var until: Timestamp
        package var message: String
    }

    let job: Job
    let database: Database
    private let sources: [MusicSource: LibrarySource]
    private let connected: [MusicSource]

    /// - Parameters:
    ///   - sources: every source, whether connected or not.
    ///   - connected: the sources that a sync of all sources reads.
    package init(_ job: Job, database: Database, sources: [LibrarySource], connected: [MusicSource]) {
        self.job = job
        self.database = database
        self.sources = Dictionary(sources.map { ($0.source, $0) }) { first, _ in first }
        self.connected = connected
    }

    /// Runs the sync to its end.
    ///
    /// - Parameter last: the state of the last checkpoint; `nil` for a new sync.
    /// - Throws: `ProviderFailure` if the job should be postponed or retried; ``Postponement``; errors of the database
    ///   and of `checkpoint`.
    package func run(from last: SyncState?) async throws -> Outcome {
        let beginning = try await database.write { [job, connected] transaction in
            try transaction.syncs.beginRun(
                ofSync: job.id, job.payload, connected: connected, userID: job.userID, now: .now())
        }
        var state: SyncState
        switch beginning {
        case .joined:
            return Outcome(result: LibrarySyncResult(state: "joined", merged: 0)) { _ in }
        case .waits(let until):
            throw Postponement(until: until, message: "An earlier sync has not finished yet.")
        case .runs(let number, let libraryID, let sources, let mustMerge):
            state = last ?? SyncState(number: number, libraryID: libraryID, sources: sources, mustMerge: mustMerge)
            if state.number != number {
                state.number = number
                state.restart()
            }
        }
        try await readSources(&state)
        return try await outcome(of: state)
    }

    /// Performs one action after another until the sync is finished.
    private func readSources(_ state: inout SyncState) async throws {
        var memory = SyncMemory(lastCheckpoint: state)
        var failures: [MusicSource: ProviderFailure] = [:]
        defer { memory.drop() }
        if try await isOtherAccount(state) { state.restartSource() }
        memory.stored = try await storedPages(state)
        var action = state.handle(.resumed)
        while action != .finish {
            try Task.checkCancellation()
            let source = state.source
            var event: SyncEvent
            do {
                event = try await perform(action, &state, &memory)
            } catch let failure as ProviderFailure {
                guard let source else { throw failure }
                event = try await handleFailure(failure, of: source, &failures, &state, &memory)
            } catch let error as LibraryError {
                guard let source else { throw error }
                event = try await handleDisconnection(of: source, &state, &memory)
            }
            action = state.handle(event)
        }
    }

    private func perform(
        _ action: SyncAction, _ state: inout SyncState, _ memory: inout SyncMemory
    ) async throws -> SyncEvent {
        switch action {
        case .askAccount(let source):
            let service = try self.source(source)
            let (name, formerName) = (try await service.account(), try await service.formerAccount?())
            var facts = try await checkpoint(state, &memory) { [state, job] transaction in
                try transaction.syncs.recordSourceStart(sync: job.id, source: source, userID: job.userID)
                return try transaction.library.beginSource(
                    source, account: name, formerly: formerName, library: state.libraryID, now: .now())
            }
            facts.formerAccount = formerName
            return .account(facts)
        case .askStorefront(let source):
            guard let storefront = try await self.source(source).storefront?() else { return .storefront }
            let libraryID = state.libraryID
            let isNew = try await database.write { [job] transaction in
                let isNew = try transaction.library.storefront(of: source, userID: job.userID) != storefront
                if isNew { try transaction.library.setStorefront(storefront, of: source, library: libraryID) }
                return isNew
            }
            // The fetched page contains ids from a different catalog.
            if isNew { memory.page = nil }
            return .storefront
        case .fetch(let fetch):
            let page = try await obtainPage(fetch, state, &memory)
            return try await facts(of: page, fetch, state)
        case .findPlaylist(let after):
            guard let scan = self.scan(state) else { return .playlist(nil) }
            let found = try await database.read {
                try $0.playlists.playlistsToRead(by: scan, after: after, limit: 1)
            }
            return .playlist(found.first)
        case .findUnseen(let list):
            guard let scan = self.scan(state) else { return .unseen(false) }
            return .unseen(
                try await database.read { reader in
                    scan.isSecond
                        ? try reader.scans.lacksSeen(list, by: scan)
                        : try reader.scans.hasUnseen(list, by: scan)
                })
        case .write(let write):
            if write.needsSameAccount, try await isOtherAccount(state) {
                state.restartSource()
                memory.drop()
                return .resumed
            }
            return try await performWrite(write, state, &memory)
        case .finish:
            return .resumed
        }
    }

    func source(_ source: MusicSource) throws -> LibrarySource {
        if let known = sources[source] { return known }
        guard let provider = source.provider else { preconditionFailure("Files are imported, not synced.") }
        throw ProviderFailure(
            provider, .connectionNeeded,
            message: "\(source.displayName) is not connected. Connect it in the setup.")
    }

    /// Whether the source now shows a different account than the one whose rows are being written.
    private func isOtherAccount(_ state: SyncState) async throws -> Bool {
        guard let progress = state.progress else { return false }
        do {
            return try await source(progress.source).account() != progress.account
        } catch is ProviderFailure {
            // The next request will fail in the same way, and its failure is handled.
            return false
        }
    }

    func scan(_ state: SyncState) -> SourceScan? {
        state.progress.map { progress in
            var scan = SourceScan(
                userID: job.userID, libraryID: state.libraryID, sync: state.number, source: progress.source,
                accountID: progress.accountID)
            scan.ownerIDs = Set([progress.account, progress.formerAccount].compactMap(\.self))
            scan.isSecond = progress.listScan?.isSecond == true
            return scan
        }
    }

    // MARK: The end

    private func outcome(of state: SyncState) async throws -> Outcome {
        let asked = job.payload.source.map { [$0] } ?? connected
        let (codes, merged, hasLeft) = try await database.read { [job] reader in
            (
                try reader.syncs.errorCodes(ofSync: job.id),
                try reader.syncs.merged(bySync: job.id, userID: job.userID),
                try reader.syncs.hasLeft(asked, bySync: job.id, userID: job.userID)
            )
        }
        let awaitsPerson = codes.contains { code in
            switch ProviderFailure.Kind(rawValue: code)?.recovery {
            case .reconnect, .askScope, .fixConfiguration: true
            default: false
            }
        }
        let outcome = state.outcome(awaitsPerson: awaitsPerson, hasLeft: hasLeft)
        return Outcome(result: LibrarySyncResult(state: outcome.rawValue, merged: merged)) { [job] transaction in
            try transaction.syncs.finish(sync: job.id, as: outcome, userID: job.userID, now: .now())
        }
    }
}

extension SyncWrite {
    /// Whether it concerns what the current account has. A user may connect a different account between two pages: the
    /// new account's items must not be written as the former one's, or the two would be taken for the same account.
    fileprivate var needsSameAccount: Bool {
        switch self {
        case .unchanged, .page, .mark, .confirmAccount, .close, .entries, .forbidden: true
        case .clear, .complete, .fail, .merge: false
        }
    }
}
