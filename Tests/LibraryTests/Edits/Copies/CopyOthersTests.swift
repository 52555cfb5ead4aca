import Model
import Synchronization
import TestSupport
import Testing

@testable import LibraryEdits
@testable import Storage

@Suite("Copies at Spotify, which reports a version of each list")
struct CopyOthersTests {
    private static let placed = CopyFixture.numbers.filter { $0 != CopyFixture.renamed && $0 != CopyFixture.absent }

    @Test("Songs that the user removes from a new copy are not written again")
    func songsRemovedByTheUser() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database), to: .spotify)
            let copy = try await fixture.finish(try await fixture.begin()) { list in
                fixture.edits.set(fixture.edits.numbers(list).filter { $0 != 7 }, of: list)
            }
            #expect(copy.state == .complete)
            #expect(try await fixture.written(copy) == Self.placed.filter { $0 != 7 })
            #expect(try await fixture.entries(copy, .missing).map(\.title) == ["Song 7", "Song 70", "Song 80"])
        }
    }

    @Test("Songs that Spotify does not show yet are not written again")
    func shownLater() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database), to: .spotify)
            var list = ""
            let copy = try await fixture.finish(try await fixture.begin()) { id in
                list = id
                // A page without these songs, but with the version of the last answer.
                fixture.edits.service.change { $0.entries[id]?.removeLast(2) }
            } waited: { _ in
                fixture.edits.service.change { content in
                    let songs = Self.placed.map { fixture.edits.shownSongs[$0] }
                    content.entries[list] = songs.enumerated().map {
                        SourcePlaylistEntry(position: $0, content: .track($1), addedAt: nil)
                    }
                }
            }
            #expect(copy.state == .complete)
            #expect(try await fixture.written(copy) == Self.placed)
            #expect(try await fixture.entries(copy, .missing).count == 2)
        }
    }

    @Test("A copy is not written twice if a backup from before its songs were written is restored")
    func restoredBackup() async throws {
        try await withDatabase { database, _ in
            let fixture = try await CopyFixture(.new(in: database), to: .spotify)
            let copy = try await fixture.begin()
            let now = fixture.edits.now
            try await database.write {
                try $0.run("INSERT INTO database_restores (restored_at) VALUES (\(now))")
            }
            let ended = try await fixture.finish(copy)
            #expect(ended.state == .failed && ended.error?.code == "restored" && fixture.edits.calls == 0)
            // When it is requested again, it is made.
            let again = try await fixture.finish(try await fixture.begin())
            #expect(again.state == .complete)
            #expect(try await fixture.written(again) == Self.placed)
        }
    }
}
