import Contracts
import Model
import TestSupport
import Testing

@testable import JobStorage
@testable import Library
@testable import LibraryImports
@testable import LibraryWriting
@testable import Storage

@Suite("Imports", .timeLimit(.minutes(5)))
struct ImportTests {
    @Test("An export of Apple's app counts as Apple Music, with counts, playlists and skipped rows")
    func appleMusic() async throws {
        try await withImporter { person in
            try await person.library.save(
                [.made("i.1", "One", by: "Ann", on: "LP", ms: 200_000, added: 1)], .appleMusic)
            let one = try await person.read(
                AppleMusicExport.xml([("01", "One"), ("02", "Two"), ("03", "")], playlist: [0, 1, 7]), "Library.xml")
            #expect(one.state == .complete && one.kind == "appleMusicLibrary")
            #expect(one.counts == .init(new: 1, joined: 1, skipped: 1) && one.counts.read == 3)
            let skips = try await person.database.read { try $0.imports.skips(of: one.id, userID: person.userID) }
            #expect(skips.map(\.reason) == ["the song has no title"])
            let tracks = try await person.library.tracks()
            #expect(tracks.count == 2 && tracks.allSatisfy { $0.values.sources == 1 && $0.values.plays == 3 })
            let (playlists, entries) = try await person.database.read { reader in
                let playlists = try reader.playlists.exportedPlaylists(userID: person.userID, after: 0, limit: 9)
                return (
                    playlists,
                    try playlists.flatMap {
                        try reader.playlists.exportedEntries(of: $0, userID: person.userID, after: -1, limit: 9)
                    }
                )
            }
            #expect(playlists.map(\.name) == ["Mine"])
            #expect(entries.map { $0.track?.title } == ["One", "Two", nil])
            try await person.library.expectSound()
        }
    }

    @Test("Importing the same file again changes nothing")
    func repeatedImport() async throws {
        try await withImporter { person in
            let text = AppleMusicExport.xml([("01", "One"), ("02", "Two")], playlist: [0, 1])
            try await person.read(text)
            let before = try await person.library.rows()
            let second = try await person.read(text)
            #expect(second.counts == .init(new: 0, joined: 2, skipped: 0))
            let after = try await person.library.rows()
            for table in ["library_tracks", "library_source_tracks", "library_playlist_entries", "library_changes"] {
                #expect(after[table] == before[table], "\(table)")
            }
        }
    }

    @Test("An import says what it added, even if its songs were known")
    func messageOfAnImport() async throws {
        try await withImporter { person in
            try await person.read("Title,Artist\nA,Ann\n")
            let list = try await person.read("Title,Artist,Playlist\nA,Ann,P\n")
            #expect(list.message == "All songs in the file were already known. Its playlists were added.")
            let again = try await person.read("Title,Artist,Playlist\nA,Ann,P\n")
            #expect(again.message == "Everything in the file was already known. Nothing was added.")
            let empty = try await person.read(#"{"playlist":{"title":"Q","track":[]}}"#)
            #expect(empty.kind == "jspf" && empty.counts.read == 0)
            #expect(empty.message == "The file contains no songs or listens. Its playlists were added.")
        }
    }

    @Test(
        "A file whose reader crashed should not be imported again, unlike one whose job failed",
        arguments: ["poison", "other"])
    func unfinishedImports(code: String) async throws {
        try await withImporter { person in
            let id = try await person.begin("Title,Artist\nA,Ann\n")
            let kind = TypedJobKind.libraryImport.kind
            let job = FinishedJob(
                id: "job", userID: person.userID, kind: kind.name, version: kind.version,
                payload: "{\"importID\":\"\(id.text)\"}", ending: .failed(code: code))
            try await person.database.write { try CompletionHook.libraryImport.write(job, $0) }
            let one = try #require(try await person.one(id))
            #expect(one.state == .failed)
            #expect(one.error?.contains("Do not import it again") == (code == "poison"))
            #expect(one.error?.contains("Import it again") == (code != "poison"))
        }
    }

    @Test("Disc and track numbers at the limits of integers do no harm")
    func extremeNumbers() async throws {
        try await withImporter { person in
            for number in [Int.min, .max] {
                var song = SourceTrack.made("s\(number)", "One", by: "Ann", on: "LP")
                (song.discNumber, song.trackNumber) = (number, number)
                try await person.library.save([song], .spotify)
            }
            let one = try await person.read(
                "Title,Artist,Album,Disc number,Duration\nTwo,Ann,LP,-9223372036854775808,99999999999999999\n")
            #expect(one.counts.new == 1)
            #expect(try await person.titles().contains("Two"))
        }
    }

    @Test("Syncs and disconnecting leave what files added")
    func syncsLeaveImportedRows() async throws {
        try await withImporter { person in
            try await person.library.save(
                [.made("i.1", "One", by: "Ann", on: "LP", ms: 200_000, added: 1)], .appleMusic)
            try await person.read(AppleMusicExport.xml([("02", "Two")]))
            try await person.library.readWhole([], .appleMusic, at: 50)
            let two = try await person.library.tracks().first { $0.values.title == "Two" }
            #expect(two?.values.missingSince == nil)
            try await person.library.remove(.appleMusic, limit: 10)
            #expect(try await person.titles() == ["Two"])
            // Nothing is due any more.
            #expect(try await person.database.read { try $0.sourceRemovals.sourcesToRemove(limit: 1).isEmpty })
        }
    }

    @Test("A file that breaks off fails with the rows before it, and files are imported one at a time")
    func brokenFile() async throws {
        try await withImporter { person in
            let whole = AppleMusicExport.xml((1...80).map { (String($0), "Song \($0)") })
            let failed = try await person.read(String(whole.prefix(whole.count / 2)))
            #expect(failed.state == .failed && failed.error?.contains("rows before that were imported") == true)
            #expect(try await person.titles().count == failed.counts.read && failed.counts.read > 20)
            let unknown = try await person.read("<svg/>")
            #expect(unknown.state == .failed && unknown.error?.hasPrefix("This XML is neither the library of") == true)
            _ = try await person.begin("Title,Artist\nA,Ann\n")
            await #expect(throws: LibraryImportRefusal.isRunning) {
                _ = try await person.begin("Title,Artist\nB,Ann\n")
            }
        }
    }
}
