import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryEdits
@testable import LibraryWriting
@testable import Storage

@Suite("The stored version of a playlist that is edited")
struct EditVersionTests {
    @Test("The version of a list that nobody else has changed is kept, even across several edits")
    func versionOfAnUnchangedList() async throws {
        try await EditFixture.run { fixture in
            let id = try await fixture.readPlaylist([1, 2, 1])
            let first = try await fixture.begin(
                .addTracks(try await fixture.references(Array(10..<240)), playlist: id))
            let second = try await fixture.begin(.addTracks(try await fixture.references([4]), playlist: id))
            #expect(try await fixture.finish(first).state == .complete)
            #expect(try await fixture.finish(second).state == .complete)
            #expect(try await !fixture.isDue(id))
            let third = try await fixture.remove([0], from: id)
            #expect(try await fixture.finish(third).state == .complete)
            #expect(try await !fixture.isDue(id))
            #expect(try await fixture.shown(id) == fixture.numbers("p0"))
            // The next sync reads nothing.
            let version = fixture.service.content.playlists.first?.version
            let state = try await fixture.library.database.read { [library = fixture.library] in
                try $0.playlists.playlistState(id.key, library: library.libraryID)
            }
            #expect(version != nil && state?.upstreamVersion == version)
        }
    }

    @Test(
        "A list that was changed elsewhere before or during an edit is read by the next sync", arguments: [0, 1, 2, 3])
    func changedElsewhere(call: Int) async throws {
        try await EditFixture.run { fixture in
            let id = try await fixture.readPlaylist([1, 2])
            let others: @Sendable (EditFixture) -> Void = { $0.setNumbers($0.numbers("p0") + [259], of: "p0") }
            // The change happens before the edit, before each of its writes, and after the last one.
            if call == 0 { others(fixture) }
            fixture.state.withLock { state in
                if (1...2).contains(call) { state.before[call] = others }
                if call == 3 { state.after[2] = others }
            }
            let songs = Array(10..<170)
            let edit = try await fixture.begin(.addTracks(try await fixture.references(songs), playlist: id))
            #expect(try await fixture.finish(edit).state == .complete)
            #expect(try await fixture.isDue(id))
            try await fixture.readAgain()
            #expect(try await fixture.shown(id) == fixture.numbers("p0"))
            #expect(fixture.numbers("p0").filter { $0 != 259 } == [1, 2] + songs)
        }
    }

    @Test("A reading that was due remains due")
    func dueScan() async throws {
        try await EditFixture.run { fixture in
            let id = try await fixture.readPlaylist([1, 2])
            try await fixture.library.database.write { try $0.run("UPDATE library_playlists SET is_due = 1") }
            let edit = try await fixture.begin(.addTracks(try await fixture.references([4]), playlist: id))
            #expect(try await fixture.finish(edit).state == .complete)
            #expect(try await fixture.isDue(id))
        }
    }

    @Test("Entries are read again when the service reports a different number of them, and after a week")
    func readAgain() async throws {
        try await EditFixture.run { fixture in
            let id = try await fixture.readPlaylist([1, 2])
            let scan = try await fixture.library.scan(.spotify, account: "account-1")
            var listed = try #require(fixture.service.content.playlists.first)
            (listed.version, listed.entryCount) = ("counted", 2)
            try await fixture.library.read(
                listed, fixture.service.content.entries["p0"] ?? [], .spotify, account: "account-1")
            func toRead(afterDays days: Int64) async throws -> Int {
                let (playlist, now) = (listed, TestLibrary.moment(days * 86_400))
                return try await fixture.library.database.write {
                    try $0.playlists.storePlaylists([playlist], by: scan, isWhole: false, now: now).toRead.count
                }
            }
            #expect(try await toRead(afterDays: 6) == 0)
            #expect(try await toRead(afterDays: 7) == 1)
            // The entries were read while the clock was ahead.
            #expect(try await toRead(afterDays: -1) == 1)
            listed.entryCount = 3
            #expect(try await toRead(afterDays: 1) == 1)
            try await fixture.library.read(
                listed, fixture.service.content.entries["p0"] ?? [], .spotify, account: "account-1")
            // Services may count entries that they never show.
            #expect(try await toRead(afterDays: 1) == 0)
            #expect(try await fixture.shown(id) == [1, 2])
        }
    }
}
