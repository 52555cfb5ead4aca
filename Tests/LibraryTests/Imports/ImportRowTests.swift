import LibraryFiles
import Model
import Storage
import Testing

@testable import LibraryImports

@Suite("Rows of imports that are not songs", .timeLimit(.minutes(5)))
struct ImportRowTests {
    /// A list of Spotify with an episode, a local file, an audiobook and two rows without content.
    private static let talks = """
        {"name":"Talks","items":[
          {"track":null,"episode":{"episodeName":"Pilot","showName":"Show"},"localTrack":null,"addedDate":"2025-03-01"},
          {"track":null,"episode":null,"localTrack":{"uri":"spotify:local:Ann:LP:Demo:187"},"addedDate":"2025-03-01"},
          {"track":null,"episode":null,"localTrack":null,"audiobook":{"audiobookName":"Book"}},
          {"track":null,"episode":null,"localTrack":null,"audiobook":null,"addedDate":"2025-03-01"},null]}
        """

    private static func file(_ lists: String...) -> String { "{\"playlists\":[\(lists.joined(separator: ","))]}" }

    @Test("A file whose lists have no songs is imported, with each row in one count")
    func listsWithoutSongs() async throws {
        try await withImporter { person in
            let first = try await person.read(Self.file(Self.talks), "Playlist1.json")
            #expect(first.state == .complete && first.kind == "spotifyLibrary" && first.message == nil, "\(first)")
            #expect(first.counts == .init(new: 3, joined: 0, skipped: 2))
            let skips = try await person.database.read { try $0.imports.skips(of: first.id, userID: person.userID) }
            #expect(skips.map(\.line) == [4, 5])
            #expect(skips.map(\.reason) == ["the entry names no song", "the element is not an entry of a playlist"])
            #expect(try await person.lists() == ["Talks: ?, ?, ?, ?, ?"])

            let second = try await person.read(Self.file(Self.talks), "Playlist1.json")
            #expect(second.counts == .init(new: 0, joined: 3, skipped: 2))
            #expect(second.message == "Everything in the file was already known or was skipped. Nothing was added.")
        }
    }

    @Test("A list that a file has twice is new once")
    func repeatedList() async throws {
        try await withImporter { person in
            let one = try await person.read(Self.file(Self.talks, Self.talks))
            #expect(one.counts == .init(new: 3, joined: 3, skipped: 4), "\(one)")
            #expect(try await person.lists() == ["Talks: ?, ?, ?, ?, ?"])
        }
    }

    @Test("After a crash at any write, each row is in one count", arguments: [0, 1, 2, 3])
    func rowsAfterAnyCrash(writes: Int) async throws {
        try await withImporter { person in
            let other = #"{"name":"More","items":[{"episode":{"episodeName":"Two"}},{"track":{"trackName":"One"}}]}"#
            let id = try await person.begin(Self.file(Self.talks, other))
            let crash = await #expect(throws: Crash.self) { try await person.run(id, mostWrites: writes) }
            let ended = try await person.run(id, from: crash?.progress)
            #expect(ended?.counts == .init(new: 4, joined: 0, skipped: 3) && ended?.state == .complete)
        }
    }

    @Test("Entries of a list that the library has from a service are known")
    func knownEntries() async throws {
        try await withImporter { person in
            let song = SourceTrack.made("One", "One", by: "Ann", on: "LP", ms: 200_000, added: 1)
            try await person.library.save([song], .spotify)
            try await person.library.read(
                SourcePlaylist(sourceID: "p", name: "Mix"),
                [
                    SourcePlaylistEntry(position: 0, content: .track(song), addedAt: nil),
                    SourcePlaylistEntry(position: 1, content: .episode(title: "Pilot"), addedAt: nil),
                ], .spotify)
            let list = FilePlaylist(key: "x", name: "Mix")
            let episode = FilePlaylist.Entry(key: nil, title: "Pilot", kind: .episode)
            let one = try await person.read(
                LibraryFileWriter.playlistCSVHead + LibraryFileWriter.csv(song, of: list, addedAt: nil)
                    + LibraryFileWriter.csv(episode, of: list))
            #expect(one.counts == .init(new: 0, joined: 2, skipped: 0) && one.knownPlaylists == 1, "\(one)")
        }
    }

    @Test("The kind of a recognized file is shown, even if all its rows were skipped or it breaks off before the first")
    func kindOfAFile() async throws {
        try await withImporter { person in
            let list = #"{"name":"P","lastModifiedDate":"2025-03-01","items":["#
            let skipped = try await person.read(Self.file(list + #"{"track":null,"episode":null}]}"#))
            #expect(skipped.kind == "spotifyLibrary" && skipped.counts == .init(new: 0, joined: 0, skipped: 1))
            #expect(skipped.message == "None of the songs in the file could be imported. Its playlists were added.")
            let empty = try await person.read("Title,Artist\n")
            #expect(empty.kind == "csv" && empty.state == .complete && empty.counts.read == 0)
            #expect(empty.message == "The file contains no songs or listens. Nothing was added.")
            let broken = try await person.read(#"{"playlists":["# + list)
            #expect(broken.kind == "spotifyLibrary" && broken.state == .failed)
            #expect(broken.error?.contains("incomplete") == true)
            #expect(try await person.read("<html/>").kind == nil)
        }
    }
}
