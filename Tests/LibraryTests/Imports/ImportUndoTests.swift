import Model
import TestSupport
import Testing

@testable import LibraryImports
@testable import LibraryWriting
@testable import Storage

@Suite("Undoing and pruning imports", .timeLimit(.minutes(5)))
struct ImportUndoTests {
    @Test("Undoing an import removes all of it, except for what another import added as well")
    func undoneImport() async throws {
        try await withImporter { person in
            try await person.library.save([.made("s1", "Own", by: "Ann", on: "LP", ms: 200_000, added: 1)], .spotify)
            let first = try await person.read(
                "Title,Artist,Album,Duration (ms)\nOwn,Ann,LP,200000\nA,Ann,LP,1000\nB,Ann,LP,2000\n")
            let second = try await person.read(
                "Title,Artist,Album,Duration (ms),Playlist\nB,Ann,LP,2000,P\nC,Ann,LP,3000,P\n")
            #expect(try await person.titles() == ["A", "B", "C", "Own"])
            try await person.undo(first.id)
            #expect(try await person.titles() == ["B", "C", "Own"])
            try await person.undo(second.id)
            #expect(try await person.titles() == ["Own"])
            let own = try #require(try await person.library.tracks().first)
            #expect(own.values.sources == MusicSource.spotify.number)
            let rows = try await person.library.rows()
            #expect(rows["library_playlists"] == [] && rows["library_playlist_entries"] == [])
            try await person.library.expectSound()
            #expect(try await person.database.write { try !$0.imports.undo(first.id, userID: person.userID) })
        }
    }

    @Test("An import that ended long ago can no longer be undone, and what it added is kept permanently")
    func importBeyondUndoing() async throws {
        try await withImporter { person in
            let old = try await person.read("Title,Artist\nOne,Ann\nTwo,Ann\n,Ann\n")
            let new = try await person.read("Title,Artist\nTwo,Ann\nThree,Ann\n")
            let end = try #require(old.finishedAt)
            let cutoff = PruningTime.unguarded(end.advanced(by: .seconds(1)))
            let later = end.advanced(by: .seconds(9))
            try await person.database.write {
                try $0.run("UPDATE library_imports SET finished_at = \(later) WHERE id = \(new.id.key)")
            }
            func due() async throws -> [LibraryID] {
                try await person.database.read {
                    try $0.imports.unpruned(finishedBefore: cutoff, limit: 9).map(\.id)
                }
            }
            #expect(try await due() == [old.id])
            func prune() async throws -> Int {
                try await person.database.write {
                    #expect(try $0.imports.beginPruning(old.id, userID: person.userID, at: cutoff))
                    return try $0.imports.prune(old.id, userID: person.userID, limit: 1, at: cutoff)
                }
            }
            func expectTooOld() async throws {
                await #expect(throws: LibraryImportRefusal.tooOld) {
                    try await person.database.write { try $0.imports.undo(old.id, userID: person.userID) }
                }
            }
            // A pruning that has begun rules out undoing the import in part, and is found again after a crash.
            #expect(try await prune() == 1)
            try await expectTooOld()
            #expect(try await due() == [old.id])
            while try await prune() > 0 {}
            #expect(try await due().isEmpty)
            try await expectTooOld()
            try await person.undo(new.id)
            #expect(try await person.titles().sorted() == ["One", "Two"])
            let skips = try await person.database.read { try $0.imports.skips(of: old.id, userID: person.userID) }
            #expect(skips.isEmpty)
            // Undoing a later import does not remove what it found, either.
            let last = try await person.read("Title,Artist,Playlist\nOne,Ann,\nTwo,Ann,P\nFour,Ann,P\n")
            try await person.undo(last.id)
            #expect(try await person.titles().sorted() == ["One", "Two"])
            #expect(try await person.lists().isEmpty)
        }
    }

    @Test("An import that is being undone is not pruned, and what two imports added stays until both are undone")
    func undoneTwice() async throws {
        try await withImporter { person in
            let first = try await person.read("Title,Artist\nOne,Ann\n")
            let second = try await person.read("Title,Artist\nOne,Ann\nTwo,Ann\n")
            let time = PruningTime.unguarded(try #require(second.finishedAt))
            let began = try await person.database.write { transaction in
                _ = try transaction.imports.undo(first.id, userID: person.userID)
                return try transaction.imports.beginPruning(first.id, userID: person.userID, at: time)
            }
            #expect(!began)
            try await person.undo(first.id)
            #expect(try await person.titles().sorted() == ["One", "Two"])
            try await person.undo(second.id)
            #expect(try await person.titles().isEmpty)
        }
    }

    @Test("Lists of the same title in two files are two lists, and removing one leaves the other complete")
    func listsOfOneTitle() async throws {
        try await withImporter { person in
            let first = try await person.read("Title,Artist,Playlist\nA,Ann,P\nB,Bob,P\n")
            let second = try await person.read("Title,Artist,Playlist\nC,Cid,P\n")
            #expect(try await person.lists() == ["P: A, B", "P: C"])
            try await person.read("Title,Artist,Playlist\nA,Ann,P\nB,Bob,P\n")
            #expect(try await person.lists() == ["P: A, B", "P: C"])
            try await person.undo(second.id)
            #expect(try await person.lists() == ["P: A, B"])
            // The third import added the list as well.
            try await person.undo(first.id)
            #expect(try await person.lists() == ["P: A, B"])
            try await person.library.expectSound()
        }
    }
}
