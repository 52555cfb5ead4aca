import Model
import Storage
import TestSupport
import Testing

@testable import LibraryImports

@Suite("Playlists in files that the library already has from elsewhere", .timeLimit(.minutes(5)))
struct KnownPlaylistTests {
    private static func csv(_ titles: [String], list: String) -> String {
        "Title,Artist,Album,Duration (ms),Playlist\n" + titles.map { "\($0),Ann,LP,200000,\(list)\n" }.joined()
    }

    /// Reads a Spotify library with the songs `One` and `Two`, and its playlist `Mix` with both.
    private func readMix(_ person: Importer) async throws {
        let songs = ["One", "Two"].map { SourceTrack.made($0, $0, by: "Ann", on: "LP", ms: 200_000, added: 1) }
        try await person.library.save(songs, .spotify)
        let entries = songs.enumerated().map {
            SourcePlaylistEntry(position: $0, content: .track($1), addedAt: TestLibrary.moment(1))
        }
        try await person.library.read(SourcePlaylist(sourceID: "p", name: "Mix"), entries, .spotify)
    }

    @Test("A list in two files of different kinds is kept with its songs until both imports are undone")
    func undoingBothImports() async throws {
        for undoesFirst in [true, false] {
            try await withImporter { person in
                let first = try await person.read(
                    AppleMusicExport.xml([("01", "One"), ("02", "Two"), ("03", "Three")], playlist: [0, 1]),
                    "Library.xml")
                let second = try await person.read(Self.csv(["One", "Two"], list: "Mine"))
                #expect(second.knownPlaylists == 1 && !second.hasNewPlaylists)
                #expect(try await person.lists() == ["Mine: One, Two"])
                try await person.undo(undoesFirst ? first.id : second.id)
                #expect(try await person.lists() == ["Mine: One, Two"])
                #expect(try await person.titles() == (undoesFirst ? ["One", "Two"] : ["One", "Three", "Two"]))
                try await person.library.expectSound()
                try await person.undo(undoesFirst ? second.id : first.id)
                #expect(try await person.lists().isEmpty)
                #expect(try await person.titles().isEmpty)
                try await person.library.expectSound()
            }
        }
    }

    @Test("A service's list is kept, no matter how often files with it are imported and undone")
    func listOfService() async throws {
        try await withImporter { person in
            try await readMix(person)
            let imports = [
                try await person.read(Self.csv(["One", "Two"], list: "Mix")),
                try await person.read(Self.csv(["One", "Two"], list: "Mix")),
            ]
            #expect(imports.map(\.knownPlaylists) == [1, 1])
            for one in imports { try await person.undo(one.id) }
            #expect(try await person.lists() == ["Mix: One, Two"])
            #expect(try await person.titles() == ["One", "Two"])
        }
    }

    @Test("Pruning an import that noted a list as known does not affect a later import's message")
    func pruningAnImport() async throws {
        try await withImporter { person in
            try await readMix(person)
            let old = try await person.read(Self.csv(["One", "Two"], list: "Mix"))
            let new = try await person.read(Self.csv(["One", "Two"], list: "Mix"))
            let cutoff = PruningTime.unguarded(try #require(old.finishedAt).advanced(by: .seconds(1)))
            let user = person.userID
            let began = try await person.database.write {
                try $0.imports.beginPruning(old.id, userID: user, at: cutoff)
            }
            #expect(began)
            var deleted = 0
            while true {
                let count = try await person.database.write {
                    try $0.imports.prune(old.id, userID: user, limit: 1, at: cutoff)
                }
                guard count > 0 else { break }
                deleted += count
            }
            #expect(deleted > 0)
            let (former, later) = (try await person.one(old.id), try await person.one(new.id))
            #expect(former?.knownPlaylists == 0)
            #expect(later?.knownPlaylists == 1)
            #expect(later?.message == new.message)
        }
    }

    @Test("A service's list is found, no matter how many lists of its name files added before it")
    func manyListsOfOneName() async throws {
        try await withImporter { person in
            let lists = [["One"], ["Two"], ["Two", "One"], ["One", "One"], ["Two", "Two"]]
            for list in lists { try await person.read(Self.csv(list, list: "Mix")) }
            #expect(try await person.lists().count == lists.count)
            try await readMix(person)
            let one = try await person.read(Self.csv(["One", "Two"], list: "Mix"))
            #expect(one.knownPlaylists == 1 && !one.hasNewPlaylists)
            #expect(try await person.lists().count == lists.count + 1)
        }
    }

    @Test("A list with the name and songs of a service's list is the same list, and one with other songs is not")
    func listsOfServices() async throws {
        try await withImporter { person in
            try await readMix(person)
            func csv(_ titles: String..., list: String = "Mix") -> String { Self.csv(titles, list: list) }
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
            #expect(try await person.read(csv("One", "Two", list: "mix")).hasNewPlaylists)
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
}
