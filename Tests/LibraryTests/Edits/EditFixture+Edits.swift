import Model
import Synchronization
import TestSupport
import Testing

@testable import Library
@testable import LibraryEdits
@testable import Storage

/// Edits of the fixture's library.
extension EditFixture {
    /// Runs `body` with a fixture, and checks its library afterwards.
    static func run(_ source: MusicSource = .spotify, _ body: (EditFixture) async throws -> Void) async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(source, .new(in: database))
            try await body(fixture)
            try await fixture.library.expectSound()
        }
    }

    func begin(_ change: EditChange) async throws -> LibraryEdit {
        let now = now
        return try await library.database.write { [library] in
            try $0.edits.begin(change, userID: library.userID, ownIDs: ["me"], now: now)
        }
    }

    /// The number of times the user was asked.
    var questions: Int { state.withLock { $0.questions } }

    /// Runs an edit until it ends, running it again whenever the process dies or the job waits. Questions are answered
    /// according to what has happened.
    ///
    /// - Parameters:
    ///   - waited: called with the number of waits so far whenever the edit has waited.
    ///   - failed: called with the number of failures so far whenever a temporary failure has ended a run.
    /// - Returns: the edit. The number of runs is limited.
    @discardableResult
    func finish(
        _ edit: LibraryEdit, waited: (Int) async throws -> Void = { _ in },
        failed: (Int) async throws -> Void = { _ in }
    ) async throws -> LibraryEdit {
        var (waits, failures) = (0, 0)
        for _ in 0..<40 {
            let isDead = Mutex(false)
            do {
                let run = EditRun(
                    edit.id, userID: library.userID, database: library.database,
                    consistencyDelays: .init(), upstream: { [upstream] _ in upstream },
                    checkpoint: { [self] rows in
                        if isDead.withLock({ $0 }) { throw KillError() }
                        try await library.database.write { try rows($0) }
                        let (isKilled, isStopped) = state.withLock { state in
                            state.commits += 1
                            return (
                                state.killedCommits.contains(state.commits),
                                state.stoppedCommits.contains(state.commits)
                            )
                        }
                        if isKilled {
                            isDead.withLock { $0 = true }
                            throw KillError()
                        }
                        if isStopped { throw StopError() }
                    }, now: { [self] in now })
                let ended = try #require(try await run.run())
                guard ended.state == .unclear else { return ended }
                #expect(ended.question != nil)
                let (isDone, moment) = state.withLock { state in
                    state.questions += 1
                    return (state.wasMade, state.clock)
                }
                _ = try await library.database.write { [library] in
                    try $0.edits.answer(edit.id, isDone: isDone, userID: library.userID, now: moment)
                }
            } catch is KillError {
            } catch is StopError {
            } catch let postponed as EditRun.Postponement {
                state.withLock { $0.clock = postponed.until }
                waits += 1
                try await waited(waits)
            } catch is ProviderFailure {
                failures += 1
                try await failed(failures)
            }
            state.withLock { $0.clock = $0.clock.advanced(by: .seconds(1)) }
        }
        Issue.record("The edit does not end.")
        return edit
    }

    /// A playlist of the service that the library has read.
    func readPlaylist(_ numbers: [Int], id: String = "p0") async throws -> LibraryID {
        var playlist = SourcePlaylist(sourceID: id, name: "Mix")
        playlist.ownerID = source == .spotify ? "me" : nil
        let first = playlist
        service.change { $0.playlists.append(first) }
        set(numbers, of: id)
        try await readAgain(id)
        return try #require(try await self.playlist("Mix")).id
    }

    /// Reads a playlist of the service as a sync does.
    func readAgain(_ id: String = "p0") async throws {
        let content = service.content
        let playlist = try #require(content.playlists.first { $0.sourceID == id })
        try await library.read(playlist, content.entries[id] ?? [], source, account: "account-1")
    }

    func playlist(_ name: String) async throws -> LibraryPlaylist? {
        try await library.database.read { [library] reader in
            let query = NameListQuery(source: nil, search: SearchQuery(""), start: .after(nil), limit: 50)
            return try reader.playlists.page(userID: library.userID, query).items.first { $0.name == name }
        }
    }

    /// The numbers of a playlist's songs in the library; -1 for other entries.
    func shown(_ id: LibraryID) async throws -> [Int] {
        try await library.database.read { [library] reader in
            guard let playlist = try reader.playlists.playlist(id, userID: library.userID) else { return [] }
            let ids = try reader.playlists.entryIDs(ofPlaylist: id.key, version: playlist.entriesVersion)
            return ids.map { $0.flatMap { Int($0.drop { !$0.isNumber }) } ?? -1 }
        }
    }

    /// Begins to remove the entries at the given positions of the playlist that was read.
    func remove(_ positions: [Int], from id: LibraryID) async throws -> LibraryEdit {
        let version = try #require(try await self.playlist("Mix")).version
        return try await begin(.removeEntries(positions: positions, version: version, playlist: id))
    }

    /// Whether the next sync reads a playlist's entries.
    func isDue(_ id: LibraryID) async throws -> Bool {
        try await library.database.read { [library] in
            try $0.playlists.playlistState(id.key, library: library.libraryID)?.isDue ?? false
        }
    }

    /// References to songs of the library, by their numbers.
    func references(_ numbers: some Sequence<Int>) async throws -> [SongReference] {
        var ids: [String: LibraryID] = [:]
        for track in try await library.tracks() {
            for part in track.parts { ids[part.track.sourceID] = LibraryID(key: track.id) }
        }
        return try numbers.map { .library(try #require(ids[Self.id($0, source)])) }
    }
}
