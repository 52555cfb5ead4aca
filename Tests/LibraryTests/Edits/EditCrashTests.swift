import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryEdits
@testable import Storage

/// Tests every write of an edit with every fault: in the end, the service has the requested list, and no song is lost
/// or duplicated; or if the outcome cannot be determined, the user is asked.
@Suite("Edits whose process dies, or whose answers are lost")
struct EditCrashTests {
    private struct Outcome {
        var edit: LibraryEdit
        var service: [Int]
        var shown: [Int]
    }

    /// 250 songs in a new playlist, three of them twice: one write creates the playlist, and three add its chunks.
    private static let songs = Array(0..<250) + [0, 1, 0]

    private func create(_ fixture: EditFixture) async throws -> Outcome {
        let edit = try await fixture.begin(
            .createPlaylist(
                name: "New", description: nil, isPublic: false, tracks: try await fixture.references(Self.songs),
                fixture.source))
        let ended = try await fixture.finish(edit)
        let playlists = fixture.service.content.playlists.filter { $0.name == "New" }
        #expect(playlists.count == 1)
        let id = try #require(ended.playlistID)
        return Outcome(
            edit: ended, service: fixture.numbers(playlists.first?.sourceID ?? ""), shown: try await fixture.shown(id))
    }

    @Test(
        "A new playlist contains each song as often as it was requested",
        arguments: EditFixture.sources, EditFixture.Fault.allCases)
    func createdPlaylistAfterACrash(source: MusicSource, fault: EditFixture.Fault) async throws {
        for call in 1...4 {
            try await withDatabase { database, _ in
                let fixture = try await EditFixture(source, .new(in: database))
                fixture.fail(call: call, fault)
                var outcome = try await create(fixture)
                outcome.service.removeAll { $0 == 259 }
                #expect(outcome.edit.state == .complete, "call \(call)")
                #expect(outcome.edit.done == Self.songs.count)
                #expect(outcome.service == Self.songs, "call \(call)")
                // Only Apple Music, which shows changes late, leaves open whether nothing was written.
                let isOpen = source == .appleMusic && [.killedBefore, .requestLost].contains(fault)
                #expect(fixture.questions == (isOpen ? 1 : 0), "call \(call)")
                #expect(outcome.shown == Self.songs, "call \(call)")
                try await fixture.library.expectSound()
            }
        }
    }

    @Test("A process that dies after any transaction continues from there", arguments: EditFixture.sources)
    func dyingAfterCommits(source: MusicSource) async throws {
        for commit in 1...12 {
            try await withDatabase { database, _ in
                let fixture = try await EditFixture(source, .new(in: database))
                fixture.kill(afterCommit: commit)
                let outcome = try await create(fixture)
                #expect(outcome.edit.state == .complete)
                #expect(outcome.service == Self.songs, "commit \(commit)")
                #expect(outcome.shown == Self.songs, "commit \(commit)")
            }
        }
    }

    @Test(
        "A worker that is told to stop leaves no write open, and the user is not asked", arguments: EditFixture.sources)
    func stoppedWorker(source: MusicSource) async throws {
        for commit in 1...8 {
            try await withDatabase { database, _ in
                let fixture = try await EditFixture(source, .new(in: database))
                fixture.stop(atCommit: commit)
                let before = fixture.now
                let outcome = try await create(fixture)
                #expect(outcome.edit.state == .complete)
                #expect(outcome.service == Self.songs, "commit \(commit)")
                #expect(fixture.questions == 0 && before.duration(to: fixture.now) < .seconds(10), "commit \(commit)")
            }
        }
    }

    @Test(
        "Removing entries leaves other entries of the same songs in place",
        arguments: EditFixture.Fault.allCases)
    func removalAfterACrash(fault: EditFixture.Fault) async throws {
        let list = [5, 1, 2, 1, 3, 1, 4, 2, 6, 1]
        for call in 1...4 {
            try await withDatabase { database, _ in
                let fixture = try await EditFixture(.spotify, .new(in: database))
                let id = try await fixture.readPlaylist(list)
                fixture.fail(call: call, fault)
                let version = try #require(try await fixture.playlist("Mix")).version
                let edit = try await fixture.begin(
                    .removeEntries(positions: [1, 4, 7], version: version, playlist: id))
                // Removes the first 1, the 3 and the second 2.
                let expected = [5, 2, 1, 1, 4, 6, 1]
                #expect(try await fixture.shown(id) == expected)
                let ended = try await fixture.finish(edit)
                #expect(ended.state == .complete, "call \(call)")
                #expect(fixture.numbers("p0").filter { $0 != 259 } == expected, "call \(call)")
                #expect(try await fixture.shown(id) == expected)
            }
        }
    }

    @Test(
        "Saving is repeated until the service has the songs", arguments: EditFixture.sources, EditFixture.Fault.allCases
    )
    func savingIsRepeated(source: MusicSource, fault: EditFixture.Fault) async throws {
        for call in 1...2 {
            try await withDatabase { database, _ in
                let fixture = try await EditFixture(source, .new(in: database))
                fixture.fail(call: call, fault)
                let numbers = Array(0..<120)
                let edit = try await fixture.begin(.save(try await fixture.references(numbers), source))
                let ended = try await fixture.finish(edit)
                #expect(ended.state == .complete)
                let ids = numbers.map { source == .spotify ? "s\($0)" : "\(1_000 + $0)" }
                #expect(fixture.saved == Set(ids))
            }
        }
    }

    @Test("A change that the service refuses permanently is undone")
    func refusedChangeIsUndone() async throws {
        try await withDatabase { database, _ in
            let fixture = try await EditFixture(.spotify, .new(in: database))
            let id = try await fixture.readPlaylist([1, 2, 3])
            let first = try await fixture.begin(.addTracks(try await fixture.references([4, 5]), playlist: id))
            let second = try await fixture.begin(.addTracks(try await fixture.references([6]), playlist: id))
            #expect(try await fixture.shown(id) == [1, 2, 3, 4, 5, 6])
            fixture.service.change { $0.playlists = [] }
            let ended = try await fixture.finish(first)
            #expect(ended.state == .failed && ended.error?.code == "playlistChanged")
            // Edits that build on it fail with it.
            let other = try await database.read { try $0.edits.edit(second.id, userID: fixture.library.userID) }
            #expect(other?.state == .failed && other?.error?.code == "superseded")
            #expect(try await fixture.shown(id) == [1, 2, 3])
            try await fixture.library.expectSound()
        }
    }
}
