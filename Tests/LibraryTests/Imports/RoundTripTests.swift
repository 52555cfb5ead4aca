import Foundation
import LibraryFiles
import Model
import TestSupport
import Testing

@testable import Library
@testable import LibraryImports
@testable import LibraryWriting
@testable import Storage

@Suite("Exporting and importing again", .timeLimit(.minutes(5)))
struct RoundTripTests {
    /// A library as the gateway exports it.
    private func json(of library: TestLibrary) async throws -> String {
        try await library.database.read { reader in
            let (beginning, middle, end) = LibraryFileWriter.jsonParts
            let userID = library.userID
            let tracks = try reader.tracks.exportedTracks(userID: userID, after: 0, savedOnly: false, limit: 99)
            let lists = try reader.playlists.exportedPlaylists(userID: userID, after: 0, limit: 9).map { list in
                let entries = try reader.playlists.exportedEntries(of: list, userID: userID, after: -1, limit: 99)
                return LibraryFileWriter.jsonBeginning(list.file)
                    + entries.map { LibraryFileWriter.json($0.file) }.joined(separator: ",")
                    + LibraryFileWriter.jsonPlaylistEnd
            }
            let songs = tracks.map { LibraryFileWriter.json($0.track, isSaved: $0.isSaved) }.sorted()
            return beginning + songs.joined(separator: ",\n") + middle + lists.joined(separator: ",\n") + end
        }
    }

    /// The lists of a library in a different format.
    private func lists(of library: TestLibrary, as format: String) async throws -> String {
        try await library.database.read { reader in
            let list = try #require(
                try reader.playlists.exportedPlaylists(userID: library.userID, after: 0, limit: 9).first)
            let entries = try reader.playlists.exportedEntries(of: list, userID: library.userID, after: -1, limit: 99)
            if format == "csv" {
                let rows = entries.map { entry in
                    entry.track.map { LibraryFileWriter.csv($0, of: list.file, addedAt: entry.addedAt) }
                        ?? LibraryFileWriter.csv(entry.file, of: list.file)
                }
                return LibraryFileWriter.playlistCSVHead + rows.joined()
            }
            let songs = entries.map { entry in
                entry.track.map { LibraryFileWriter.jspf($0, addedAt: entry.addedAt) }
                    ?? LibraryFileWriter.jspf(entry.file)
            }
            return LibraryFileWriter.jspfBeginning(list.file) + songs.joined(separator: ",") + LibraryFileWriter.jspfEnd
        }
    }

    private func entries(of library: TestLibrary) async throws -> [String] {
        try await library.database.read { reader in
            try reader.playlists.exportedPlaylists(userID: library.userID, after: 0, limit: 9).flatMap { list in
                try reader.playlists.exportedEntries(of: list, userID: library.userID, after: -1, limit: 99).map {
                    entry in
                    let name = entry.track.map { "\($0.title) by \($0.artist)" } ?? entry.title ?? "-"
                    return "\(list.name) \(entry.kind.rawValue) \(name) \(entry.addedAt?.description ?? "-")"
                }
            }
        }
    }

    /// Creates a library with songs and entries of every kind.
    private func fill(_ library: TestLibrary) async throws {
        func id(_ digit: String) -> String { String(repeating: digit, count: 22) }
        let saved = SourceTrack.made(id("1"), "One", by: "Ann", on: "LP", ms: 200_000, added: -900)
        let nameless = SourceTrack.made(id("2"), "", by: "", on: "", added: -800)
        let former = SourceTrack.made(id("3"), "Gone", by: "Cid", on: "EP", ms: 100_000, added: -700)
        try await library.readWhole([saved, nameless, former], .spotify, at: 1)
        let listed = SourceTrack.made(id("4"), "Listed", by: "Dan", on: "EP", ms: 300_000)
        let contents: [SourcePlaylistEntry.Content] = [
            .track(former), .track(listed), .local(title: "Demo"), .episode(title: "Talk"), .unavailable(title: "Lost"),
            .unavailable(title: nil), .track(saved), .track(nameless), .track(listed),
        ]
        let entries = contents.enumerated().map {
            SourcePlaylistEntry(position: $0, content: $1, addedAt: TestLibrary.moment(Int64(-500 - $0)))
        }
        var playlist = SourcePlaylist(sourceID: "p", name: "Mix")
        playlist.version = "v1"
        try await library.read(playlist, entries, .spotify, at: 2)
        // The third song is no longer saved, but stays in the list.
        try await library.readWhole([saved, nameless], .spotify, at: 3)
    }

    @Test("A library is restored with every kind of song and entry, and its dates, for another user")
    func restoredLibrary() async throws {
        try await withImporter { person in
            let other = try await TestLibrary.new(in: person.database, name: "bob")
            try await fill(other)
            let text = try await json(of: other)
            let one = try await person.read(text, "library.json")
            // Four songs, and four entries that are not songs.
            #expect(one.state == .complete && one.counts.skipped == 0 && one.counts.new == 8, "\(one)")
            #expect(try await json(of: person.library) == text)
            #expect(try await entries(of: person.library) == entries(of: other))
            #expect(try await entries(of: other).first?.hasPrefix("Mix track Gone by Cid") == true)
            let dates = try await person.library.tracks().filter { $0.values.title == "Listed" }.map(\.values.addedAt)
            #expect(dates == [TestLibrary.moment(-508)])
            try await person.library.expectSound()
        }
    }

    @Test("A user's own export does not add lists again that a service still has", arguments: ["json", "csv", "jspf"])
    func ownExport(format: String) async throws {
        try await withImporter { person in
            try await fill(person.library)
            let text =
                format == "json"
                ? try await json(of: person.library) : try await lists(of: person.library, as: format)
            let before = try await entries(of: person.library)
            let one = try await person.read(text, "export.\(format)")
            #expect(one.state == .complete && one.knownPlaylists == 1 && !one.hasNewPlaylists, "\(one)")
            let sentence = "One playlist in the file is already in the library and was not added again."
            #expect(one.message?.hasSuffix(sentence) == true, "\(one)")
            #expect(try await entries(of: person.library) == before)
            try await person.undo(one.id)
            #expect(try await entries(of: person.library) == before)
            try await person.library.expectSound()
        }
    }

    @Test("A playlist is restored with every kind of entry", arguments: ["csv", "jspf"])
    func restoredPlaylist(format: String) async throws {
        try await withImporter { person in
            let other = try await TestLibrary.new(in: person.database, name: "bob")
            try await fill(other)
            let one = try await person.read(try await lists(of: other, as: format), "list.\(format)")
            #expect(one.state == .complete && one.counts.skipped == 0 && one.counts.read == 9, "\(one)")
            #expect(try await entries(of: person.library) == entries(of: other))
        }
    }
}
