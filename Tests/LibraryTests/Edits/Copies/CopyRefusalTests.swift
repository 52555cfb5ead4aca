import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryEdits
@testable import Storage

@Suite("Songs of a copy that the service refuses")
struct CopyRefusalTests {
    private static let placed = CopyFixture.numbers.filter { $0 != CopyFixture.renamed && $0 != CopyFixture.absent }

    @Test("Refused songs are listed, and the others are placed", arguments: [[0], [31], [59, 17], [3]])
    func refusedSongs(refused: [Int]) async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            fixture.edits.state.withLock { $0.refused = Set(refused) }
            let copy = try await fixture.finish(try await fixture.begin())
            #expect(copy.state == .complete && copy.error == nil)
            #expect(try await fixture.written(copy).sorted() == Self.placed.filter { !refused.contains($0) }.sorted())
            let missing = try await fixture.entries(copy, .missing).filter {
                $0.tried.last == CopyRun.reason(.appleMusic)
            }
            #expect(Set(missing.map(\.title)) == Set(refused.map(CopyFixture.title)))
        }
    }

    @Test("A service that refuses every song ends the copy")
    func everySong() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            fixture.edits.state.withLock { $0.refused = Set(0..<60) }
            var copy = try await fixture.begin()
            for _ in 0..<20 where !copy.state.isFinished { copy = try await fixture.finish(copy) }
            #expect(copy.state == .failed && copy.error?.code == "requestRefused")
        }
    }

    @Test("A chosen song that is refused is listed again, and the choice is deleted")
    func refusedChoice() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            let copy = try await fixture.finish(try await fixture.begin())
            let choice = CopyChoice(position: 62, reference: .catalog(.appleMusic, "999"))
            fixture.edits.state.withLock { $0.refused = [999] }
            let ended = try await fixture.finish(try await fixture.choose([choice], of: copy))
            #expect(ended.state == .complete && ended.error == nil)
            let open = try await fixture.entries(ended, .missing)
            #expect(open.map(\.position) == [62, 63])
            #expect(open.first?.tried.last == CopyRun.reason(.appleMusic))
            let next = try await fixture.finish(try await fixture.begin(again: true))
            #expect(next.state == .complete)
            #expect(try await fixture.written(next) == Self.placed)
            #expect(try await fixture.entries(next, .missing).first?.tried.contains("your choice") == false)
        }
    }

    @Test("A stored choice of a song that is no longer in the library is listed, and the choice is deleted")
    func choiceOfAMissingSong() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            let copy = try await fixture.finish(try await fixture.begin())
            let song = try #require(try await fixture.edits.references([70]).first)
            _ = try await fixture.finish(
                try await fixture.choose([CopyChoice(position: 62, reference: song)], of: copy))
            try await database.write { transaction in
                try transaction.run(
                    "UPDATE library_copy_choices SET reference = \(LibraryID(key: 7).text)")
            }
            let next = try await fixture.finish(try await fixture.begin(again: true))
            #expect(next.state == .complete)
            #expect(try await fixture.written(next) == Self.placed)
            let open = try await fixture.entries(next, .missing)
            #expect(open.first?.tried.last == "\(EditRefusal.noTrack)")
            let left = try await database.read { try $0.rows("SELECT reference FROM library_copy_choices").count }
            #expect(left == 0)
        }
    }

    @Test("A choice that cannot be in the service's catalog is refused immediately")
    func impossibleChoice() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database))
            let copy = try await fixture.finish(try await fixture.begin())
            let invalid = EditRefusal.invalidCatalogID(.appleMusic, "xx")
            await #expect(throws: CopyRefusal.noSuchSong(invalid)) {
                _ = try await fixture.choose(
                    [CopyChoice(position: 62, reference: .catalog(.appleMusic, "xx"))], of: copy)
            }
            // A song that only Spotify has.
            let title = CopyFixture.title(80)
            let other = try #require(
                try await fixture.edits.library.tracks().first { $0.parts.contains { $0.track.title == title } })
            await #expect(throws: CopyRefusal.noSuchSong(.trackNotInSource(.appleMusic, title: title))) {
                _ = try await fixture.choose(
                    [CopyChoice(position: 62, reference: .library(LibraryID(key: other.id)))], of: copy)
            }
            #expect(try await database.read { try $0.copies.copy(copy.id, userID: copy.userID) }?.state == .complete)
        }
    }
}
