import Identity
import Model
import Synchronization
import TestSupport
import Testing

@testable import Library
@testable import LibraryEdits
@testable import Storage

/// Copies a playlist to another service, Apple Music by default, which the ``EditFixture`` simulates.
struct CopyFixture {
    let edits: EditFixture
    let playlist: LibraryID

    /// The songs of the playlist: some occur twice, one has a different title at Apple Music, and one does not exist
    /// there.
    static let numbers = Array(0..<60) + [3, 3] + [70, 80]
    /// Apple Music's search does not find the song, or finds a different one.
    static let (renamed, absent) = (70, 80)

    init(_ library: TestLibrary, to target: MusicSource = .appleMusic) async throws {
        edits = try await EditFixture(target, library, showsCatalogIDs: target == .spotify)
        let source: MusicSource = target == .spotify ? .appleMusic : .spotify
        let songs = Self.numbers.map { number in
            var song = SourceTrack.made(
                EditFixture.id(number, source), Self.title(number), by: "Artist \(number)", added: 1)
            (song.isrc, song.durationMs) = (Self.code(number), 200_000)
            return song
        }
        try await library.read(
            SourcePlaylist(sourceID: "list", name: "Mix"),
            songs.enumerated().map { SourcePlaylistEntry(position: $0, content: .track($1), addedAt: nil) },
            source, account: "source-1")
        playlist = try #require(try await edits.playlist("Mix")).id
    }

    static func title(_ number: Int) -> String { "Song \(number)" }

    /// Songs with even numbers have an ISRC that both services know.
    private static func code(_ number: Int) -> String? { number % 2 == 0 ? "DEAAA20\(10_000 + number)" : nil }

    private static func candidate(_ number: Int, _ target: MusicSource) -> CopyCandidate {
        let isOther = number == renamed
        return CopyCandidate(
            id: EditFixture.catalogID(number, target),
            record: IdentityRecord(
                title: isOther ? "Something Else" : title(number), artist: "Artist \(number)",
                durationMs: isOther ? 90_000 : 200_000, isrc: isOther ? nil : code(number)))
    }

    private var catalog: CopyCatalog {
        CopyCatalog(
            codesPerCall: 25,
            withCodes: { [target = edits.source] codes in
                (0..<60).filter { Self.code($0).map(codes.contains) ?? false }.map { Self.candidate($0, target) }
            },
            search: { [target = edits.source] text, offset in
                guard offset == 0, let number = text.split(separator: " ").last.flatMap({ Int($0) }),
                    number != Self.absent
                else { return [] }
                return [Self.candidate(number, target)]
            })
    }

    func begin(again: Bool = false) async throws -> LibraryCopy {
        let now = edits.now
        return try await edits.library.database.write { [edits, playlist] in
            try $0.copies.begin(playlist, to: edits.source, again: again, userID: edits.library.userID, now: now).copy
        }
    }

    func choose(_ choices: [CopyChoice], of copy: LibraryCopy) async throws -> LibraryCopy {
        try await edits.library.database.write { [edits] in
            try $0.copies.choose(choices, of: copy.id, userID: edits.library.userID)
        }
    }

    func entries(_ copy: LibraryCopy, _ states: CopyEntry.State...) async throws -> [CopyEntry] {
        try await edits.library.database.read { try $0.copies.entries(of: copy, in: states, limit: .max) }
    }

    /// The numbers of the songs in the copy at Apple Music.
    func written(_ copy: LibraryCopy) async throws -> [Int] {
        let made = try #require(copy.made)
        let id = try await edits.library.database.read { [edits] in
            try $0.playlists.playlist(made, userID: edits.library.userID)?.sourceID
        }
        return edits.numbers(try #require(id))
    }

    /// Runs a copy and its edits until it ends, restarting it whenever the process dies.
    ///
    /// - Parameters:
    ///   - disturb: called with the id of the list at the service whenever edits have ended.
    ///   - waited: called with the number of waits so far whenever the copy has waited.
    /// - Returns: the copy, which has ended or asks a question.
    func finish(
        _ copy: LibraryCopy, disturb: (String) -> Void = { _ in }, waited: (Int) -> Void = { _ in }
    ) async throws -> LibraryCopy {
        var waits = 0
        let (library, database) = (edits.library, edits.library.database)
        for _ in 0..<40 {
            let isDead = Mutex(false)
            do {
                let run = CopyRun(
                    copy.id, userID: library.userID, database: database, ownIDs: [], consistencyDelays: .init(),
                    library: { [edits] _ in edits.service.librarySource },
                    mark: { [edits] in try await edits.upstream.mark($1) }, catalog: { [catalog] _ in catalog },
                    checkpoint: { [edits] _, rows in
                        if isDead.withLock({ $0 }) { throw EditFixture.KillError() }
                        try await database.write { try rows($0) }
                        let isKilled = edits.state.withLock { state in
                            state.commits += 1
                            return state.killedCommits.contains(state.commits)
                        }
                        if isKilled {
                            isDead.withLock { $0 = true }
                            throw EditFixture.KillError()
                        }
                    }, now: { [edits] in edits.now })
                let present = try #require(try await run.run())
                guard present.state == .writing else { return present }
                for edit in try await unfinishedEdits() { try await edits.finish(edit) }
                let made = try #require(present.made)
                let id = try await database.read {
                    try $0.playlists.playlist(made, userID: library.userID)?.sourceID
                }
                disturb(try #require(id))
                try await database.write { transaction in
                    let waiting = try transaction.copies.copies(toSubmit: 10)
                    #expect(waiting.map(\.id) == [copy.id])
                    for copy in waiting { try transaction.copies.set(job: "job", of: copy) }
                }
            } catch is EditFixture.KillError {
            } catch let postponed as EditRun.Postponement {
                edits.state.withLock { $0.clock = postponed.until }
                waits += 1
                waited(waits)
            }
            edits.state.withLock { $0.clock = $0.clock.advanced(by: .seconds(1)) }
        }
        Issue.record("The copy does not end.")
        return copy
    }

    /// Unfinished edits in the order in which they run, earliest first.
    private func unfinishedEdits() async throws -> [LibraryEdit] {
        try await edits.library.database.read { [edits] reader in
            try reader.edits.edits(
                userID: edits.library.userID, states: [.queued, .running], cursor: nil, limit: 100
            ).items.reversed()
        }
    }
}
