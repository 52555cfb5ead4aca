import Library
import LibraryWriting
import Model
import Platform
import Storage

/// A run of an edit: it performs the actions that ``EditMachine`` decides on.
///
/// Before a step's request is sent, the step is stored as sent in a transaction that only the job's current run may
/// make. So after a crash, a timeout or a lost answer, the next run knows that it has to read the service first.
package struct EditRun: Sendable {
    package typealias Rows = @Sendable (WriteTransaction) throws -> Void

    /// The edit has to wait, and continues from its current state.
    package struct Postponement: Error, Sendable, Equatable {
        package var until: Timestamp
        package var message: String
    }

    /// How long to wait after a lost answer before the service is read, and for how long what a service confirmed takes
    /// precedence over what it shows.
    package struct ConsistencyDelays: Sendable, Hashable {
        /// The maximum duration of a request (`upstreams.spotify.timeoutSeconds`).
        package var spotify: Duration
        /// Longer than for Spotify, since Apple Music shows new content late.
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
    let consistencyDelays: ConsistencyDelays
    let checkpoint: @Sendable (@escaping Rows) async throws -> Void
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - upstream: returns the service, acting for the user.
    ///   - checkpoint: writes rows in one transaction that fails if the job's run no longer belongs to this worker
    ///     (`LongJobContext.checkpoint`). It may run them twice.
    ///   - now: returns the current time.
    package init(
        _ id: LibraryID, userID: String, database: Database, consistencyDelays: ConsistencyDelays,
        upstream: @escaping @Sendable (MusicSource) async throws -> EditUpstream,
        checkpoint: @escaping @Sendable (@escaping Rows) async throws -> Void,
        now: @escaping @Sendable () -> Timestamp = Self.clock()
    ) {
        (self.id, self.userID, self.database, self.consistencyDelays) = (id, userID, database, consistencyDelays)
        (self.upstream, self.checkpoint, self.now) = (upstream, checkpoint, now)
    }

    /// A clock that starts at the wall clock's time and then advances monotonically. If the wall clock is set
    /// meanwhile, nothing is delayed: a job's postponement counts from the start of its last run (docs/jobs.md),
    /// according to the clock at that moment.
    package static func clock() -> @Sendable () -> Timestamp {
        let (wall, start) = (Timestamp.now(), MonotonicInstant.now())
        return { wall.advanced(by: start.duration(to: .now())) }
    }

    /// Makes the remaining writes and ends the edit.
    ///
    /// - Returns: the edit as it is then: complete, failed or unclear; `nil` if it no longer exists because the user
    ///   was erased.
    /// - Throws: ``Postponement``; `ProviderFailure` if another attempt may succeed; errors of the database and of
    ///   `checkpoint`.
    package func run() async throws -> LibraryEdit? {
        let (id, userID, moment) = (id, userID, now())
        let beginning = try await database.read { [consistencyDelays] reader -> Start? in
            guard let edit = try reader.edits.edit(id, userID: userID) else { return nil }
            let since = moment.advanced(by: .zero - consistencyDelays[edit.source])
            return Start(
                edit: edit, steps: try reader.edits.steps(of: edit),
                recent: try edit.playlistKey.flatMap {
                    try reader.edits.recentMark(ofPlaylist: $0, since: since, now: moment, userID: userID)
                },
                waits: try reader.edits.waits(edit), restores: try reader.restoreCount())
        }
        guard let beginning else { return nil }
        let edit = beginning.edit
        guard !edit.state.isFinished, edit.state != .unclear else { return edit }
        guard !beginning.waits else {
            throw Postponement(
                until: moment.advanced(by: Duration.seconds(60).dividedInTests),
                message: "An earlier change has not finished yet.")
        }
        do {
            let upstream = try await upstream(edit.source)
            guard try await showsAccount(of: edit, upstream.library) else {
                throw EditError(
                    code: Self.otherAccount,
                    message: "This change was meant for a different \(edit.source.displayName) account."
                )
            }
            let machine = EditMachine(
                steps: beginning.steps, mark: edit.source.showsLate ? beginning.recent?.mark : nil,
                consistencyDelay: consistencyDelays[edit.source], isRestored: edit.restores != beginning.restores)
            var work = Work(
                edit: edit, upstream: upstream, machine: machine, recent: beginning.recent,
                restores: beginning.restores)
            try await performSteps(&work)
        } catch let error as EditError {
            if error.code == Self.otherAccount { try await waitForAccount(edit, error) }
            try await checkpoint { try $0.edits.fail(id, userID: userID, error, now: moment) }
        } catch let failure as ProviderFailure {
            try await waitForOutcome(edit, failure)
            guard failure.endsEdit else { throw failure }
            let error = EditError(failure, of: edit)
            try await checkpoint { try $0.edits.fail(id, userID: userID, error, now: moment) }
        }
        return try await database.read { try $0.edits.edit(id, userID: userID) }
    }

    private static let otherAccount = "otherAccount"

    private struct Start: Sendable {
        var edit: LibraryEdit
        var steps: [EditStep]
        var recent: RecentMark?
        var waits: Bool
        var restores: Int
    }

    /// Whether the connected account is still the one whose library the edit changes.
    private func showsAccount(of edit: LibraryEdit, _ source: LibrarySource) async throws -> Bool {
        let (name, former) = (try await source.account(), try await source.formerAccount?())
        return try await database.read { reader in
            try reader.library.isAccount([name] + (former.map { [$0] } ?? []), of: edit)
        }
    }

    // MARK: Steps

    /// The state of a run.
    struct Work: Sendable {
        let edit: LibraryEdit
        let upstream: EditUpstream
        var machine: EditMachine
        /// What the last answer about the playlist reported.
        var recent: RecentMark?
        /// How many times the database has been restored.
        let restores: Int
        /// A playlist that a write has created and that is not stored yet.
        var created: EditUpstream.CreatedPlaylist?
        /// When the list was last compared with the one that entries are to be removed from.
        var verifiedAt: MonotonicInstant?
        /// How many times that comparison was too old for the removal.
        var lateRemovals = 0
    }

    private func performSteps(_ work: inout Work) async throws {
        var event = EditMachine.Event.resumed
        while true {
            try Task.checkCancellation()
            let action = work.machine.handle(event, at: now())
            if case .send(let step) = action, step.action.isWrite {
                event = try await writeStep(step, &work)
                continue
            }
            try await storeProgress(of: &work)
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
                throw Postponement(
                    until: moment,
                    message: "\(work.edit.source.displayName) must be read before anything is written again.")
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

    /// The current state of the edit's playlist.
    func playlist(of edit: LibraryEdit) async throws -> EditedPlaylist {
        let playlist = try await database.read { reader in
            try edit.playlistKey.flatMap { try reader.playlists.playlistState($0, library: edit.libraryID) }
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
                // The change is made. The next sync will read what the new songs are.
            }
        }
        let final = try await finalMark(work)
        let (tracks, moment, steps) = (described, now(), work.machine.steps)
        try await checkpoint { [id, userID, consistencyDelays] transaction in
            // The service has refused a part of the edit, or others have changed the list; the rest is done.
            if steps.contains(where: { $0.state == .refused }) {
                try transaction.edits.fail(id, userID: userID, EditError(notAllOf: edit, steps), now: moment)
            } else {
                try transaction.edits.complete(
                    id, userID: userID, described: tracks, final: final,
                    consistencyDelay: consistencyDelays[edit.source],
                    now: moment)
            }
        }
    }

    private func ask(_ doubt: EditFinding.Uncertainty, about step: EditStep, of edit: LibraryEdit) async throws {
        try await checkpoint { [id, userID] transaction in
            guard var edit = try transaction.edits.edit(id, userID: userID) else { return }
            edit.state = .unclear
            edit.question = doubt.question(about: step, of: edit)
            try transaction.edits.updateEdit(edit)
        }
    }
}
