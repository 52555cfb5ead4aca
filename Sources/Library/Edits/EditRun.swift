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
    private let settleTimes: SettleTimes
    private let keep: @Sendable (@escaping Rows) async throws -> Void
    private let now: @Sendable () -> Timestamp

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
            let recent = moment.advanced(by: .zero - settleTimes[edit.source])
            let mark = try edit.playlistKey.flatMap {
                try reader.edits.recentMark(ofPlaylist: $0, since: recent, userID: userID)
            }
            return Beginning(
                edit: edit, steps: try reader.edits.steps(of: edit), mark: mark, waits: try reader.edits.waits(edit))
        }
        guard let beginning else { return nil }
        let edit = beginning.edit
        guard !edit.state.isFinished, edit.state != .unclear else { return edit }
        guard !beginning.waits else {
            throw Postponed(until: moment.advanced(by: .seconds(60)), message: "An earlier change has not ended yet.")
        }
        do {
            let upstream = try await upstream(edit.source)
            guard try await showsAccount(of: edit, upstream.library) else {
                throw EditError(
                    code: "otherAccount",
                    message: "Another \(edit.source.displayName) account is connected now than when this was asked for."
                )
            }
            let machine = EditMachine(
                steps: beginning.steps, mark: beginning.mark, settleTime: settleTimes[edit.source])
            try await work(edit, machine, upstream)
        } catch let error as EditError {
            try await keep { try $0.edits.fail(id, userID: userID, error, now: moment) }
        } catch let failure as ProviderFailure where failure.endsEdit {
            let error = EditError(failure, of: edit)
            try await keep { try $0.edits.fail(id, userID: userID, error, now: moment) }
        }
        return try await database.read { try $0.edits.edit(id, userID: userID) }
    }

    private struct Beginning: Sendable {
        var edit: LibraryEdit
        var steps: [EditStep]
        var mark: PlaylistMark?
        var waits: Bool
    }

    /// Whether the service still shows the account whose library the edit changes.
    private func showsAccount(of edit: LibraryEdit, _ source: LibrarySource) async throws -> Bool {
        let (name, former) = (try await source.account(), try await source.formerAccount?())
        return try await database.read { reader in
            try reader.edits.isAccount([name] + (former.map { [$0] } ?? []), of: edit)
        }
    }

    // MARK: Steps

    private func work(_ edit: LibraryEdit, _ machine: EditMachine, _ upstream: EditUpstream) async throws {
        var machine = machine
        var lastMark = machine.steps.last { $0.state == .done }?.after
        var created: EditUpstream.CreatedPlaylist?
        var event = EditMachine.Event.resumed
        while true {
            try Task.checkCancellation()
            let action = machine.handle(event, at: now())
            do {
                try await store(&machine, of: edit, created: created)
            } catch {
                // A worker that is told to stop stores the step, and does not send it. Where the run is another's by
                // now, nothing is stored here either.
                if case .send = action {
                    _ = machine.handle(.notMade, at: now())
                    try? await store(&machine, of: edit, created: nil)
                }
                throw error
            }
            created = nil
            lastMark = machine.steps.last { $0.state == .done }?.after
            switch action {
            case .readMark:
                event = .marked(try await mark(of: edit, upstream))
            case .send(let step):
                do {
                    event = try await send(step, of: edit, upstream, &created)
                } catch let failure as ProviderFailure {
                    // What the failure left is stored before it ends the run.
                    event = failure.event
                    if failure.outcome != .unknown {
                        _ = machine.handle(event, at: now())
                        try await store(&machine, of: edit, created: nil)
                        throw failure
                    }
                }
            case .inspect(let step):
                event = .found(try await inspect(step, of: edit, upstream, &created))
            case .wait(let moment):
                throw Postponed(
                    until: moment, message: "\(edit.source.displayName) is read before anything is written again.")
            case .ask(let step, let doubt):
                try await ask(doubt, about: step, of: edit)
                return
            case .finish:
                try await finish(edit, lastMark, upstream)
                return
            case .stop: return
            }
        }
    }

    private func store(
        _ machine: inout EditMachine, of edit: LibraryEdit, created: EditUpstream.CreatedPlaylist?
    ) async throws {
        let steps = machine.takeChanges()
        guard !steps.isEmpty || created != nil else { return }
        let (done, moment) = (machine.done, now())
        try await keep { transaction in
            try transaction.edits.write(steps, of: edit)
            if let created { try transaction.edits.created(created, by: edit, now: moment) }
            try transaction.edits.setRunning(edit, done: done)
        }
    }

    private func send(
        _ step: EditStep, of edit: LibraryEdit, _ upstream: EditUpstream,
        _ created: inout EditUpstream.CreatedPlaylist?
    ) async throws -> EditMachine.Event {
        func supported<Call>(_ call: Call?, _ operation: EditRefusal.Operation) throws -> Call {
            guard let call else { throw EditError(.notSupported(edit.source, operation)) }
            return call
        }
        switch step.action {
        case .save(let tracks):
            try await upstream.save(tracks)
            return .answered(version: nil)
        case .unsave(let tracks):
            try await supported(upstream.unsave, .unsave)(tracks)
            return .answered(version: nil)
        case .create(let name, let description, let isPublic):
            let playlist = try await upstream.create(name, description, isPublic)
            created = playlist
            return .answered(version: playlist.version)
        case .append:
            let playlist = try await playlist(of: edit)
            return .answered(version: try await upstream.append(playlist.sourceID, step.action.tracks))
        case .verify:
            return .found(.done(try await verify(edit, upstream)))
        case .remove(let ids, _):
            let playlist = try await playlist(of: edit)
            let remove = try supported(upstream.remove, .removeEntries)
            return .answered(version: try await remove(playlist.sourceID, ids))
        case .insert(_, let position, let placed):
            let playlist = try await playlist(of: edit)
            let insert = try supported(upstream.insert, .removeEntries)
            return .answered(version: try await insert(playlist.sourceID, step.action.tracks, position + placed))
        case .rename(let name, let description):
            let playlist = try await playlist(of: edit)
            try await supported(upstream.rename, .rename)(playlist.sourceID, name, description)
            return .answered(version: nil)
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

    private func finish(_ edit: LibraryEdit, _ mark: PlaylistMark?, _ upstream: EditUpstream) async throws {
        let unknown = Set(edit.undo.unknown.values).sorted()
        var described: [SourceTrack] = []
        if !unknown.isEmpty {
            do {
                described = try await upstream.describe(unknown)
            } catch is ProviderFailure {
                // The change is made. The next sync describes what is new.
            }
        }
        let (tracks, moment) = (described, now())
        try await keep { [id, userID, settleTimes] transaction in
            try transaction.edits.complete(
                id, userID: userID, described: tracks, mark: mark, settleTime: settleTimes[edit.source], now: moment)
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

    fileprivate var event: EditMachine.Event {
        switch outcome {
        case .notSent: .notMade
        case .refused: endsEdit ? .refused : .notMade
        case .unknown: .lost
        }
    }
}
