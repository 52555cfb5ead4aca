import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryEdits
@testable import Storage

@Suite("Copies of playlists")
struct CopyTests {
    private static let placed = CopyFixture.numbers.filter { $0 != CopyFixture.renamed && $0 != CopyFixture.absent }

    @Test("Every entry is placed in order, or listed with what was tried and the closest songs")
    func everyEntryIsPlacedOrListed() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            let copy = try await fixture.finish(try await fixture.begin())
            #expect(copy.state == .complete)
            #expect(copy.error == nil)
            #expect(try await fixture.written(copy) == Self.placed)
            let missing = try await fixture.entries(copy, .missing)
            #expect(missing.map(\.title) == [CopyFixture.renamed, CopyFixture.absent].map(CopyFixture.title))
            #expect(missing.first?.nearest.map(\.uri) == ["appleMusic:1070"])
            #expect(missing.first?.tried == ["ISRC DEAAA2010070", "search “Artist 70 Song 70”", "search “Song 70”"])
            #expect(missing.last?.nearest == [])
            let counts = try await database.read { try $0.copies.counts(of: copy) }
            #expect(counts == CopyCounts(matched: 64, placed: 62, missing: 2, leftOut: 0))
        }
    }

    @Test("An entry that is not a song is listed with a sentence that says so")
    func otherEntries() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            let copy = try await fixture.begin()
            try await database.write {
                try $0.run("UPDATE library_copy_entries SET source_track_id = NULL WHERE position = 0")
            }
            let ended = try await fixture.finish(copy)
            let entry = try #require(try await fixture.entries(ended, .missing).first { $0.position == 0 })
            #expect(entry.tried == ["The entry is not a song of the service, so nothing was searched."])
        }
    }

    @Test("A second request returns the existing copy; another copy is made on demand")
    func repeatedRequest() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            let first = try await fixture.begin()
            #expect(try await fixture.begin().id == first.id)
            _ = try await fixture.finish(first)
            #expect(try await fixture.begin().id == first.id)
            let second = try await fixture.finish(try await fixture.begin(again: true))
            #expect(second.id != first.id)
            #expect(try await fixture.written(second) == Self.placed)
            #expect(fixture.edits.service.content.playlists.count == 2)
        }
    }

    @Test("A process that dies after any transaction leaves the same copy as an undisturbed one")
    func copyAfterAnyCrash() async throws {
        for commit in 1...14 {
            try await withDatabase { database, _ in
                let fixture = try await CopyFixture(.new(in: database))
                fixture.edits.kill(afterCommit: commit)
                let copy = try await fixture.finish(try await fixture.begin())
                #expect(copy.state == .complete, "commit \(commit)")
                // The user is asked about a playlist whose creation is uncertain (docs/library-edits.md).
                #expect(try await fixture.written(copy) == Self.placed, "commit \(commit)")
                #expect(fixture.edits.service.content.playlists.count == 1, "commit \(commit)")
            }
        }
    }

    @Test("Songs that the service does not show are written again once, then listed", arguments: [1, 2])
    func readingBack(losses: Int) async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            var left = losses
            let copy = try await fixture.finish(try await fixture.begin()) { list in
                guard left > 0 else { return }
                left -= 1
                fixture.edits.set(fixture.edits.numbers(list).filter { $0 != 7 }, of: list)
            }
            let others = Self.placed.filter { $0 != 7 }
            let missing = try await fixture.entries(copy, .missing).map(\.title)
            if losses == 1 {
                #expect(try await fixture.written(copy) == others + [7])
                #expect(missing == ["Song 70", "Song 80"])
            } else {
                #expect(try await fixture.written(copy) == others)
                #expect(missing == ["Song 7", "Song 70", "Song 80"])
            }
            #expect(copy.state == .complete)
        }
    }

    @Test("Choices are placed in the copy, and stored for the next one")
    func choicesAreStored() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            let copy = try await fixture.finish(try await fixture.begin())
            let choices = [
                CopyChoice(position: 62, reference: .catalog(.appleMusic, "1070")),
                CopyChoice(position: 63, reference: nil),
            ]
            let ended = try await fixture.finish(try await fixture.choose(choices, of: copy))
            #expect(try await fixture.written(ended) == Self.placed + [70])
            #expect(try await fixture.entries(ended, .missing) == [])
            #expect(try await fixture.entries(ended, .leftOut).map(\.position) == [63])
            let next = try await fixture.finish(try await fixture.begin(again: true))
            #expect(try await fixture.written(next) == Self.placed + [70])
            #expect(try await fixture.entries(next, .leftOut).map(\.position) == [63])
        }
    }

    @Test("Playlists that cannot be copied and invalid choices are refused")
    func refusedCopies() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            let (user, now) = (fixture.edits.library.userID, fixture.edits.now)
            await #expect(throws: CopyRefusal.sameSource(.spotify)) {
                try await database.write { [playlist = fixture.playlist] in
                    _ = try $0.copies.begin(playlist, to: .spotify, again: false, userID: user, now: now)
                }
            }
            let kept = try await database.read { [playlist = fixture.playlist] in
                try $0.playlists.playlist(playlist, userID: user)
            }
            try await database.write { try $0.run("UPDATE library_playlists SET entries_state = 'forbidden'") }
            await #expect(throws: EditRefusal.entriesNotShown(.spotify)) { _ = try await fixture.begin() }
            try await database.write {
                try $0.run("UPDATE library_playlists SET entries_state = \(kept?.entriesState)")
            }
            let copy = try await fixture.begin()
            await #expect(throws: CopyRefusal.notComplete) { _ = try await fixture.choose([], of: copy) }
            let ended = try await fixture.finish(copy)
            await #expect(throws: CopyRefusal.noSuchEntry(position: 0)) {
                _ = try await fixture.choose([CopyChoice(position: 0, reference: nil)], of: ended)
            }
            await #expect(throws: CopyRefusal.otherSource(.appleMusic)) {
                let other = CopyChoice(position: 62, reference: .catalog(.spotify, "4uLU6hMCjMI75M1A2tKUQC"))
                _ = try await fixture.choose([other], of: ended)
            }
        }
    }
}
