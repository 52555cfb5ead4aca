import Model
import Storage

/// A run of an edit: it carries out what ``EditMachine`` decides.
///
/// A step is stored as sent, in a transaction that only the job's present run may make, before its request leaves. So
/// after a crash, a time-out or a lost answer the next run knows that the service has to be read first.
package struct EditRun: Sendable {
    package typealias Rows = @Sendable (WriteTransaction) throws -> Void

    /// The edit has to wait. It goes on where it is.
    package struct Postponed: Error, Sendable, Equatable {
        package var until: Timestamp
        package var message: String
    }

    /// How long after a lost answer a service is read, and for how long what it answered counts more than what it
    /// shows.
    package struct SettleTimes: Sendable, Hashable {
        /// The longest time that a request may be under way (`upstreams.spotify.timeoutSeconds`).
        package var spotify: Duration
        /// Apple Music shows new content late.
        package var appleMusic: Duration

        package init(spotify: Duration = .seconds(10), appleMusic: Duration = .seconds(60)) {
            (self.spotify, self.appleMusic) = (spotify, appleMusic)
        }

        package subscript(_ source: MusicSource) -> Duration {
            switch source {
            case .spotify: spotify
            case .appleMusic: appleMusic
            // Nothing is written to files.
            case .file: .zero
            }
        }
    }

    let id: LibraryID
    let userID: String
    let database: Database
    private let upstream: @Sendable (MusicSource) async throws -> EditUpstream
    let settleTimes: SettleTimes
    private let keep: @Sendable (@escaping Rows) async throws -> Void
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - upstream: the service, for the person.
    ///   - keep: writes rows in one transaction that fails when the job's run is no longer this worker's
    ///     (`LongJobContext.checkpoint`). It may run them twice.
    package init(
        _ id: LibraryID, userID: String, database: Database, settleTimes: SettleTimes,
        upstream: @escaping @Sendable (MusicSource) async throws -> EditUpstream,
        keep: @escaping @Sendable (@escaping Rows) async throws -> Void,
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        (self.id, self.userID, self.database, self.settleTimes) = (id, userID, database, settleTimes)
        (self.upstream, self.keep, self.now) = (upstream, keep, now)
    }

    /// Makes the writes that are left, and ends the edit.
    ///
    /// - Returns: the edit as it is then: complete, failed or unclear. `nil` when there is none: the person was erased.
    /// - Throws: ``Postponed``; `ProviderFailure` where another attempt may help; what the database and `keep` throw.
    package func run() async throws -> LibraryEdit? {
        let (id, userID, moment) = (id, userID, now())
        let beginning = try await database.read { [settleTimes] reader -> Beginning? in
            guard let edit = try reader.edits.edit(id, userID: userID) else { return nil }
            let since = moment.advanced(by: .zero - settleTimes[edit.source])
            return Beginning(
                edit: edit, steps: try reader.edits.steps(of: edit),
                recent: try edit.playlistKey.flatMap {
                    try reader.edits.recentMark(ofPlaylist: $0, since: since, now: moment, userID: userID)
                },
                waits: try reader.edits.waits(edit), restores: try reader.edits.restores())
        }
        guard let beginning else { return nil }
        let edit = beginning.edit
        guard !edit.state.isFinished, edit.state != .unclear else { return edit }
        guard !beginning.waits else {
            throw Postponed(
                until: moment.advanced(by: Duration.seconds(60).dividedInTests),
                message: "An earlier change has not ended yet.")
        }
        do {
            let upstream = try await upstream(edit.source)
            guard try await showsAccount(of: edit, upstream.library) else {
                throw EditError(
                    code: Self.otherAccount,
                    message: "Another \(edit.source.displayName) account is connected now than when this was asked for."
                )
            }
            let machine = EditMachine(
                steps: beginning.steps, mark: edit.source.showsLate ? beginning.recent?.mark : nil,
                settleTime: settleTimes[edit.source], isRestored: edit.restores != beginning.restores)
            var work = Work(
                edit: edit, upstream: upstream, machine: machine, recent: beginning.recent,
                restores: beginning.restores)
            try await self.work(&work)
        } catch let error as EditError {
            if error.code == Self.otherAccount { try await waitForAccount(edit, error) }
            try await keep { try $0.edits.fail(id, userID: userID, error, now: moment) }
        } catch let failure as ProviderFailure {
            try await waitForOutcome(edit, failure)
            guard failure.endsEdit else { throw failure }
            let error = EditError(failure, of: edit)
            try await keep { try $0.edits.fail(id, userID: userID, error, now: moment) }
        }
        return try await database.read { try $0.edits.edit(id, userID: userID) }
    }

    private static let otherAccount = "otherAccount"

    private struct Beginning: Sendable {
        var edit: LibraryEdit
        var steps: [EditStep]
        var recent: RecentMark?
        var waits: Bool
        var restores: Int
    }

    /// Whether the service still shows the account whose library the edit changes.
    private func showsAccount(of edit: LibraryEdit, _ source: LibrarySource) async throws -> Bool {
        let (name, former) = (try await source.account(), try await source.formerAccount?())
        return try await database.read { reader in
            try reader.edits.isAccount([name] + (former.map { [$0] } ?? []), of: edit)
        }
    }

    // MARK: What must not end

    /// How long an edit that must not end waits before it tries again what failed.
    private static let unfinishedPause = (
        passing: Duration.seconds(60).dividedInTests, others: Duration.seconds(900).dividedInTests
    )

    /// Why an edit must not end yet, for people; `nil` when it may. An edit that has removed entries, and has not put
    /// the others of their songs back, would lose them; one with a write whose answer is missing would leave it open
    /// whether the service has it.
    ///
    /// Where the source was disconnected and its rows are removed, there is nothing to wait for.
    private func unfinishedReason(of edit: LibraryEdit) async throws -> String? {
        try await database.read { reader in
            let steps = try reader.edits.steps(of: edit)
            guard try reader.library.hasAccount(of: edit.reading) else { return nil }
            if steps.isAmidRemoval { return "Songs that are to stay in “\(edit.title)” are still to be put back:" }
            let name = edit.source.displayName
            return steps.hasUnknownOutcome ? "It is not known yet whether \(name) has made the last write:" : nil
        }
    }

    /// Has an edit that must not end wait where waiting may help: for a credential, a permission, or a service that
    /// does not answer.
    ///
    /// - Throws: `ProviderFailure` or ``Postponed``. It returns where the edit may end, or the service refuses it for
    ///   good.
    private func waitForOutcome(_ edit: LibraryEdit, _ failure: ProviderFailure) async throws {
        guard let reason = try await unfinishedReason(of: edit) else { return }
        let message = "\(reason) \(failure.message)"
        switch failure.recovery {
        case .reconnect, .askScope: throw failure
        case .retryAt:
            let later = now().advanced(by: Self.unfinishedPause.passing)
            throw Postponed(until: failure.until ?? later, message: message)
        case .fixConfiguration, .refresh:
            throw Postponed(until: now().advanced(by: Self.unfinishedPause.others), message: message)
        case .tellUser where failure.kind == .accessTokenRefusedAgain:
            // A permission was taken back (``EditError/init(_:at:)``).
            var waiting = ProviderFailure(
                failure.provider, failure.kind, recovery: .reconnect, message: failure.message)
            waiting.reason = failure.reason
            throw waiting
        case .tellUser: return
        }
    }

    /// Has an edit that must not end wait for the account that it is meant for. After a new user token of Apple Music
    /// the next sync shows whether it is the same account's.
    private func waitForAccount(_ edit: LibraryEdit, _ error: EditError) async throws {
        guard let reason = try await unfinishedReason(of: edit) else { return }
        guard edit.source.namesAccount, let provider = edit.source.provider else {
            throw Postponed(
                until: now().advanced(by: Self.unfinishedPause.passing), message: "\(reason) \(error.message)")
        }
        throw ProviderFailure(provider, .connectionNeeded, message: "\(reason) \(error.message)")
    }

    // MARK: Steps

    /// What a run knows.
    struct Work: Sendable {
        let edit: LibraryEdit
        let upstream: EditUpstream
        var machine: EditMachine
        /// What the last answer about the playlist reported.
        var recent: RecentMark?
        /// How often the database has been restored.
        let restores: Int
        /// A playlist that a write has made, and that is not stored yet.
        var created: EditUpstream.CreatedPlaylist?
        /// When the list was last compared with the one that entries are to be removed from.
        var verifiedAt: MonotonicInstant?
        /// How often that was too long ago for the removal.
        var lateRemovals = 0
    }

    private func work(_ work: inout Work) async throws {
        var event = EditMachine.Event.resumed
        while true {
            try Task.checkCancellation()
            let action = work.machine.handle(event, at: now())
            if case .send(let step) = action, step.action.isWrite {
                event = try await write(step, &work)
                continue
            }
            try await store(&work)
            switch action {
            case .readMark(let step, let known):
                event = .marked(try await mark(before: step, known, work))
                if case .remove = step.action { work.verifiedAt = .now() }
            case .recall(let step):
                event = .recalled(try await recalledMark(before: step, work))
            case .send:
                let mark = try await verify(work.edit, work.upstream)
                work.verifiedAt = .now()
                event = .found(.done(mark))
            case .inspect(let step):
                event = .found(try await inspect(step, of: work.edit, work.upstream, &work.created))
            case .wait(let moment):
                throw Postponed(
                    until: moment, message: "\(work.edit.source.displayName) is read before anything is written again.")
            case .ask(let step, let doubt):
                try await ask(doubt, about: step, of: work.edit)
                return
            case .finish:
                try await finish(work)
                return
            case .stop: return
            }
        }
    }

    /// Makes the write of a step, which is noted as sent before it leaves.
    ///
    /// - Throws: what ends the run. What it leaves of the step is stored.
    private func write(_ step: EditStep, _ work: inout Work) async throws -> EditMachine.Event {
        let changes = work.machine.takeChanges()
        // What the answers before say is not held up by the wait for a permit.
        let (earlier, sending) = changes.divided(at: step.number)
        let (edit, created, isRestored) = (work.edit, work.created, work.machine.isRestored)
        let (done, restores, verifiedAt) = (work.machine.done, work.restores, work.verifiedAt)
        if work.upstream.asksForAdmission, !earlier.isEmpty || created != nil {
            try await store(earlier, done: done, created: created, isRestored: isRestored, restores, of: edit)
        }
        let asks = work.upstream.asksForAdmission
        let noted = asks ? sending : changes
        let window = EditMachine.window(settleTime: settleTimes[edit.source])
        let admission = WriteAdmission(window: window) { [self] in
            if case .remove = step.action, let verifiedAt,
                verifiedAt.duration(to: .now()) > max(window, Self.shortestFreshness)
            {
                throw NotFresh()
            }
            try await store(
                noted, done: done, created: asks ? nil : created, isRestored: isRestored, restores, of: edit)
        }
        work.created = nil
        do {
            if !asks { try await admission.begin() }
            let made = try await WriteAdmission.$current.withValue(admission) {
                try await send(step, of: edit, work.upstream)
            }
            work.created = made.created
            work.recent = RecentMark(at: now(), version: made.version)
            return .answered(version: made.version)
        } catch let failure as ProviderFailure {
            let event = failure.event(hasBegun: admission.hasBegun)
            if case .lost = event { return event }
            // What the failure left is stored before it ends the run.
            let action = work.machine.handle(event, at: now())
            try await store(&work)
            guard action == .stop else { return .resumed }
            throw failure
        } catch {
            guard !admission.hasBegun else { throw error }
            // A worker that is told to stop stores the step, and does not send it. Where the run is another's by now,
            // nothing is stored here either.
            _ = work.machine.handle(.notMade, at: now())
            guard error is NotFresh else {
                try? await store(&work)
                throw error
            }
            try await store(&work)
            work.lateRemovals += 1
            guard work.lateRemovals <= Self.mostLateRemovals else {
                throw Postponed(
                    until: now().advanced(by: Duration.seconds(10).dividedInTests),
                    message: "\(edit.source.displayName) has to be asked too often at the moment.")
            }
            // The list is compared again, and the removal sent at once.
            return .resumed
        }
    }

    /// The list was compared too long ago for a removal.
    private struct NotFresh: Error {}

    /// How often a run compares the list again because the removal could not be sent at once.
    private static let mostLateRemovals = 3

    /// The shortest time after which a list is compared again before entries are removed.
    private static let shortestFreshness = Duration.seconds(5)

    private func store(_ work: inout Work) async throws {
        let (changes, created) = (work.machine.takeChanges(), work.created)
        guard !changes.isEmpty || created != nil else { return }
        try await store(
            changes, done: work.machine.done, created: created, isRestored: work.machine.isRestored, work.restores,
            of: work.edit)
        work.created = nil
    }

    private func store(
        _ changes: EditMachine.Changes, done: Int, created: EditUpstream.CreatedPlaylist?, isRestored: Bool,
        _ restores: Int, of edit: LibraryEdit
    ) async throws {
        let moment = now()
        try await keep { transaction in
            try transaction.edits.write(changes, of: edit)
            if let created { try transaction.edits.created(created, by: edit, now: moment) }
            try transaction.edits.setRunning(edit, done: done, restores: isRestored ? nil : restores)
        }
    }

    /// The answer to a write.
    private struct Made: Sendable {
        /// Of the list after it, where the service tells one.
        var version: String?
        var created: EditUpstream.CreatedPlaylist?
    }

    private func send(_ step: EditStep, of edit: LibraryEdit, _ upstream: EditUpstream) async throws -> Made {
        func supported<Call>(_ call: Call?, _ operation: EditRefusal.Operation) throws -> Call {
            guard let call else { throw EditError(.notSupported(edit.source, operation)) }
            return call
        }
        switch step.action {
        case .save(let tracks):
            try await upstream.save(tracks)
            return Made()
        case .unsave(let tracks):
            try await supported(upstream.unsave, .unsave)(tracks)
            return Made()
        case .create(let name, let description, let isPublic):
            let playlist = try await upstream.create(name, description, isPublic)
            return Made(version: playlist.version, created: playlist)
        case .append:
            let playlist = try await playlist(of: edit)
            return Made(version: try await upstream.append(playlist.sourceID, step.action.tracks))
        case .verify: return Made()
        case .remove(let ids, _):
            let playlist = try await playlist(of: edit)
            let remove = try supported(upstream.remove, .removeEntries)
            return Made(version: try await remove(playlist.sourceID, ids))
        case .insert(_, let position, let placed, _):
            let playlist = try await playlist(of: edit)
            let insert = try supported(upstream.insert, .removeEntries)
            // Others may have shortened the list.
            let place = min(position + placed, step.before?.count ?? .max)
            return Made(version: try await insert(playlist.sourceID, step.action.tracks, place))
        case .rename(let name, let description):
            let playlist = try await playlist(of: edit)
            try await supported(upstream.rename, .rename)(playlist.sourceID, name, description)
            return Made()
        }
    }

    /// The edit's playlist as it is at the moment.
    func playlist(of edit: LibraryEdit) async throws -> EditedPlaylist {
        let playlist = try await database.read { reader in
            try edit.playlistKey.flatMap { try reader.library.playlistState($0, library: edit.libraryID) }
        }
        guard let playlist else { throw EditError(.playlistGone(edit.source)) }
        return playlist
    }

    // MARK: The end

    private func finish(_ work: Work) async throws {
        let (edit, upstream) = (work.edit, work.upstream)
        let unknown = Set(edit.undo.unknown.values).sorted()
        var described: [SourceTrack] = []
        if !unknown.isEmpty {
            do {
                described = try await upstream.describe(unknown)
            } catch is ProviderFailure {
                // The change is made. The next sync describes what is new.
            }
        }
        let final = try await finalMark(work)
        let (tracks, moment, steps) = (described, now(), work.machine.steps)
        try await keep { [id, userID, settleTimes] transaction in
            // The service has refused some of it, or others have changed it: the rest is made.
            if steps.contains(where: { $0.state == .refused }) {
                try transaction.edits.fail(id, userID: userID, EditError(notAllOf: edit, steps), now: moment)
            } else {
                try transaction.edits.complete(
                    id, userID: userID, described: tracks, final: final, settleTime: settleTimes[edit.source],
                    now: moment)
            }
        }
    }

    private func ask(_ doubt: EditFinding.Doubt, about step: EditStep, of edit: LibraryEdit) async throws {
        try await keep { [id, userID] transaction in
            guard var edit = try transaction.edits.edit(id, userID: userID) else { return }
            edit.state = .unclear
            edit.question = doubt.question(about: step, of: edit)
            try transaction.edits.write(edit)
        }
    }
}

extension ProviderFailure {
    /// Whether another attempt of the edit would have the same answer.
    var endsEdit: Bool {
        switch recovery {
        case .retryAt: false
        case .fixConfiguration: kind != .secretsSealed
        case .reconnect, .askScope, .refresh, .tellUser: true
        }
    }

    /// What it means for a step.
    ///
    /// - Parameter hasBegun: whether the step was noted as sent. Before that nothing of it has left, whatever failed,
    ///   such as the refresh of a token.
    fileprivate func event(hasBegun: Bool) -> EditMachine.Event {
        switch outcome {
        case .unknown where hasBegun: .lost
        case .refused where hasBegun && endsEdit: .refused(isAboutSongs: kind == .requestRefused)
        case .notSent, .refused, .unknown: .notMade
        }
    }
}
