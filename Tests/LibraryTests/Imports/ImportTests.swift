import Contracts
import Foundation
import LibraryFiles
import Model
import Synchronization
import TestSupport
import Testing

@testable import Library
@testable import Storage

@Suite("Imports", .timeLimit(.minutes(5)))
struct ImportTests {
    static func xml(_ songs: [(key: String, title: String)], playlist: [Int] = []) -> String {
        let dicts = songs.enumerated().map { index, song in
            """
            <key>\(index)</key><dict><key>Track ID</key><integer>\(index)</integer><key>Name</key>
            <string>\(song.title)</string><key>Artist</key><string>Ann</string><key>Album</key><string>LP</string>
            <key>Total Time</key><integer>200000</integer><key>Play Count</key><integer>3</integer>
            <key>Persistent ID</key><string>\(song.key)</string></dict>
            """
        }
        let items = playlist.map { "<dict><key>Track ID</key><integer>\($0)</integer></dict>" }.joined()
        return """
            <plist version="1.0"><dict><key>Tracks</key><dict>\(dicts.joined())</dict><key>Playlists</key><array><dict>
            <key>Name</key><string>Mine</string><key>Playlist Persistent ID</key><string>AB</string>
            <key>Playlist Items</key><array>\(items)</array></dict></array></dict></plist>
            """
    }

    @Test("An export of Apple's app counts as Apple Music, with counts, playlists and skipped rows")
    func appleMusic() async throws {
        try await withImporter { person in
            try await person.library.save(
                [.made("i.1", "One", by: "Ann", on: "LP", ms: 200_000, added: 1)], .appleMusic)
            let one = try await person.read(
                Self.xml([("01", "One"), ("02", "Two"), ("03", "")], playlist: [0, 1, 7]), "Library.xml")
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
    func again() async throws {
        try await withImporter { person in
            let text = Self.xml([("01", "One"), ("02", "Two")], playlist: [0, 1])
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

    @Test("Undoing an import removes all of it, except for what another import added as well")
    func undo() async throws {
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

    @Test("An import that would exceed a quota fails and names its key, and earlier rows are kept")
    func quota() async throws {
        try await withImporter { person in
            let rows = (0..<600).map { "2024-01-01T00:00:00Z,Song \($0),Ann\n" }.joined()
            let id = try await person.begin("listened_at,title,artist\n" + rows)
            let calls = Mutex(0)
            let failed = try await person.run(
                id,
                record: { listens, _, _, _, _ in
                    let call = calls.withLock { count in
                        count += 1
                        return count
                    }
                    guard call < 3 else {
                        throw QuotaReached(.listens, limit: 500, used: 500, asked: listens.count)
                    }
                    return (listens.count, listens.count)
                })
            #expect(failed?.state == .failed && failed?.counts.new == 500)
            #expect(failed?.error?.hasPrefix("quotas.listens allows each person 500 listens") == true)
        }
    }

    @Test("Listens that take several transactions are recorded once each, even after a crash", arguments: [1, 7, 250])
    func parts(size: Int) async throws {
        try await withImporter { person in
            let rows = (0..<90).map { number in
                // Every third row has no title, and is skipped.
                "2024-01-01T00:00:00Z,\(number % 3 == 2 ? "" : "Song \(number)"),Ann\n"
            }.joined()
            let id = try await person.begin("listened_at,title,artist\n" + rows)
            let calls = Mutex<[String]>([])
            let record: LibraryImportRun.Record = { listens, _, _, _, _ in
                let some = listens.prefix(size)
                calls.withLock { $0 += some.map(\.title) }
                return (some.count, some.count)
            }
            let crash = await #expect(throws: Crash.self) {
                try await person.run(id, mostWrites: 60 / size / 2, record: record)
            }
            let ended = try await person.run(id, from: crash?.progress, record: record)
            #expect(ended?.counts == .init(new: 60, joined: 0, skipped: 30) && ended?.state == .complete)
            #expect(calls.withLock { $0 } == (0..<90).filter { $0 % 3 < 2 }.map { "Song \($0)" })
            let skips = try await person.database.read { try $0.imports.skips(of: id, userID: person.userID) }
            #expect(skips.map(\.line) == (0..<30).map { $0 * 3 + 4 })
        }
    }

    @Test("A playlist that is imported again replaces the earlier one, and counts once")
    func replacedPlaylists() async throws {
        try await withImporter { person in
            func list(_ titles: [String]) -> String {
                let tracks = titles.map { #"{"title": "\#($0)", "creator": "Ann"}"# }.joined(separator: ",")
                return #"{"playlist": {"title": "P", "identifier": "https://a.example/p", "track": [\#(tracks)]}}"#
            }
            let titles = (0..<20).map { "Söng \($0)" }
            let quota = ImportQuota(rows: 41)
            for _ in 0..<3 {
                let id = try await person.begin(list(titles), "a.jspf")
                #expect(try await person.run(id, quota: quota)?.state == .complete)
            }
            #expect(try await person.database.read { try $0.imports.used(userID: person.userID).rows } == 40)
            // What an import counts while it writes equals what the next one computes.
            let other = try await person.begin("Title,Artist\nÄÖÜ,Ann\n")
            #expect(try await person.run(other, quota: quota)?.state == .complete)
            let use = try await person.database.read { try $0.imports.used(userID: person.userID) }
            #expect(use.rows == 41)
            let another = try await person.begin(list(titles + ["New"]), "a.jspf")
            #expect(try await person.run(another, quota: quota)?.state == .failed)
        }
    }

    @Test("An import that ended long ago can no longer be undone, and what it added is kept permanently")
    func pruned() async throws {
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

    @Test("After a crash at any write, the next run counts each row once", arguments: [0, 1, 2, 3, 4])
    func crashes(writes: Int) async throws {
        let rows = (0..<120).map { "Song \($0),Ann,\($0 < 60 ? "" : "P")" } + [",none,"]
        let text = "Title,Artist,Playlist\n" + rows.joined(separator: "\n")
        try await withImporter { person in
            let id = try await person.begin(text)
            let crash = await #expect(throws: Crash.self) { try await person.run(id, mostWrites: writes) }
            let ended = try await person.run(id, from: crash?.progress)
            #expect(ended?.counts == .init(new: 120, joined: 0, skipped: 1) && ended?.state == .complete)
            #expect(try await person.library.rows()["library_playlist_entries"]?.count == 60)
            try await person.library.expectSound()
        }
    }

    @Test("What files may add is limited for each user, the error says what to do, and earlier data is kept")
    func quotas() async throws {
        try await withImporter { person in
            let rows = (0..<120).map { "Song \($0),Ann" }.joined(separator: "\n")
            let id = try await person.begin("Title,Artist\n\(rows)")
            let ended = try #require(try await person.run(id, quota: ImportQuota(rows: 100)))
            #expect(ended.state == .failed && ended.counts.new == 100)
            #expect(ended.error?.hasPrefix("imports.rowsPerPerson allows each person 100 songs") == true)
            #expect(ended.error?.hasSuffix("The 100 rows before that were imported.") == true)
            // Rows of earlier imports count, both songs and playlist entries.
            let list = try await person.begin("Title,Artist,Playlist\nOther,Ann,P\n")
            #expect(try await person.run(list, quota: ImportQuota(rows: 100))?.state == .failed)
            let again = try await person.begin("Title,Artist,Playlist\nOther,Ann,P\n")
            #expect(try await person.run(again, quota: ImportQuota(rows: 102))?.state == .complete)
            #expect(try await person.database.read { try $0.imports.used(userID: person.userID).rows } == 102)
            let long = try await person.begin("Title,Artist\nX,Ann")
            let refused = try await person.run(long, quota: ImportQuota(rows: nil, characters: 500))
            #expect(refused?.error?.hasPrefix("imports.charactersPerPerson allows") == true)
            let other = try await person.begin("Title,Artist\nX,Ann")
            #expect(try await person.run(other, quota: ImportQuota(rows: nil))?.state == .complete)
        }
    }

    @Test("A run that is cancelled while it reads ends, and says nothing about the file")
    func cancelling() async throws {
        try await withImporter { person in
            let rows = String(repeating: "Song,Ann\n", count: 200_000)
            let id = try await person.begin("Title,Artist\n\(rows)")
            var progress = LibraryImportRun.Progress()
            progress.items = 150_000
            let task = Task { [progress] in try await person.run(id, from: progress) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await person.one(id)?.state == .queued)
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

    @Test("A list with the name and songs of a service's list is the same list, and one with other songs is not")
    func listsOfServices() async throws {
        try await withImporter { person in
            let songs = ["One", "Two"].map { SourceTrack.made($0, $0, by: "Ann", on: "LP", ms: 200_000, added: 1) }
            try await person.library.save(songs, .spotify)
            let entries = songs.enumerated().map {
                SourcePlaylistEntry(position: $0, content: .track($1), addedAt: WrittenLibrary.moment(1))
            }
            try await person.library.read(SourcePlaylist(sourceID: "p", name: "Mix"), entries, .spotify)
            func csv(_ titles: String..., name: String = "Mix") -> String {
                "Title,Artist,Album,Duration (ms),Playlist\n"
                    + titles.map { "\($0),Ann,LP,200000,\(name)\n" }.joined()
            }
            let same = try await person.read(csv("One", "Two"))
            #expect(
                same.message
                    == "Everything in the file was already known. Nothing was added. One playlist in the file is "
                    + "already in the library and was not added again.")
            #expect(try await person.lists() == ["Mix: One, Two"])
            for (number, text) in [csv("Two", "One"), csv("One"), csv("One", "Two", "Two")].enumerated() {
                let other = try await person.read(text)
                #expect(other.knownPlaylists == 0 && other.hasNewPlaylists, "\(number)")
            }
            #expect(try await person.read(csv("One", "Two", name: "mix")).hasNewPlaylists)
            #expect(
                try await person.lists() == [
                    "Mix: One", "Mix: One, Two", "Mix: One, Two, Two", "Mix: Two, One", "mix: One, Two",
                ])
            let more = try await person.read(csv("One", "Two") + "New,Ann,LP,1000,\n")
            #expect(more.counts.new == 1)
            #expect(more.message == "One playlist in the file is already in the library and was not added again.")
        }
    }

    @Test("An import that is killed at a known list continues after it")
    func crashAtKnownList() async throws {
        try await withImporter { person in
            let song = SourceTrack.made("One", "One", by: "Ann", on: "LP", ms: 200_000, added: 1)
            try await person.library.save([song], .spotify)
            try await person.library.read(
                SourcePlaylist(sourceID: "p", name: "Mix"),
                [SourcePlaylistEntry(position: 0, content: .track(song), addedAt: nil)], .spotify)
            let text = "Title,Artist,Album,Duration (ms),Playlist\nOne,Ann,LP,200000,Mix\nOne,Ann,LP,200000,Other\n"
            let id = try await person.begin(text)
            // The songs, and the known list.
            let crash = try await #require(throws: Crash.self) { try await person.run(id, mostWrites: 2) }
            let ended = try await person.run(id, from: crash.progress)
            #expect(ended?.state == .complete && ended?.knownPlaylists == 1 && ended?.hasNewPlaylists == true)
            #expect(try await person.lists() == ["Mix: One", "Other: One"])
        }
    }

    @Test("An import says what it added, even if its songs were known")
    func message() async throws {
        try await withImporter { person in
            try await person.read("Title,Artist\nA,Ann\n")
            let list = try await person.read("Title,Artist,Playlist\nA,Ann,P\n")
            #expect(list.message == "All songs in the file were already known. Its playlists were added.")
            let again = try await person.read("Title,Artist,Playlist\nA,Ann,P\n")
            #expect(again.message == "Everything in the file was already known. Nothing was added.")
            let empty = try await person.read(#"{"playlist":{"title":"Q","track":[]}}"#)
            #expect(empty.message == "None of the songs in the file could be imported. Its playlists were added.")
        }
    }

    @Test(
        "A file whose reader crashed should not be imported again, unlike one whose job failed",
        arguments: ["poison", "other"])
    func ends(code: String) async throws {
        try await withImporter { person in
            let id = try await person.begin("Title,Artist\nA,Ann\n")
            let kind = TypedJobKind.libraryImport.kind
            let job = EndedJob(
                id: "job", userID: person.userID, kind: kind.name, version: kind.version,
                payload: "{\"importID\":\"\(id.text)\"}", ending: .failed(code: code))
            try await person.database.write { try JobEnd.libraryImport.write(job, $0) }
            let one = try #require(try await person.one(id))
            #expect(one.state == .failed)
            #expect(one.error?.contains("Do not import it again") == (code == "poison"))
            #expect(one.error?.contains("Import it again") == (code != "poison"))
        }
    }

    @Test("Disc and track numbers at the limits of integers do no harm")
    func extremes() async throws {
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
    func services() async throws {
        try await withImporter { person in
            try await person.library.save(
                [.made("i.1", "One", by: "Ann", on: "LP", ms: 200_000, added: 1)], .appleMusic)
            try await person.read(Self.xml([("02", "Two")]))
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
    func failures() async throws {
        try await withImporter { person in
            let whole = Self.xml((1...80).map { (String($0), "Song \($0)") })
            let failed = try await person.read(String(whole.prefix(whole.count / 2)))
            #expect(failed.state == .failed && failed.error?.contains("rows before that were imported") == true)
            #expect(try await person.titles().count == failed.counts.read && failed.counts.read > 20)
            let unknown = try await person.read("<html/>")
            #expect(unknown.state == .failed && unknown.error?.hasPrefix("This XML is neither the library of") == true)
            _ = try await person.begin("Title,Artist\nA,Ann\n")
            await #expect(throws: LibraryImportRefusal.isRunning) {
                _ = try await person.begin("Title,Artist\nB,Ann\n")
            }
        }
    }
}
