import Foundation
import TestProcesses
import Testing

@Suite("backline library, with a simulated Spotify", .timeLimit(.minutes(20)))
struct LibraryCommandTests {
    @Test("A library is synced, counted, listed and searched, and the commands say what is missing")
    func syncedLibrary() async throws {
        try await LibraryInstallation.run { library in
            let (base, spotify) = (library.base, library.upstreams.spotify)
            try await library.fill(spotify, tracks: 120, playlists: 1, albums: 2, oddities: false)
            let ada = try await base.addUser()
            let nothing = try await base.backline("library", "sync", as: ada)
            #expect(nothing.status == 0 && nothing.text.hasPrefix("No service is connected."), "\(nothing)")
            let refused = try await base.backline("library", "sync", "--source", "spotify", as: ada)
            #expect(refused.status == 3 && refused.text.contains("Spotify is not connected."), "\(refused)")
            #expect(refused.output.last == "The library could not be synced.")

            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            let skipped = try await base.backline("library", "sync", as: ada)
            #expect(skipped.status == 0 && skipped.text.contains("--force reads them again."), "\(skipped)")
            try await library.change(spotify, ["add": 2])
            let forced = try await base.backline("library", "sync", "--force", "--json", as: ada)
            let sync: LibrarySyncAnswer = try forced.decode()
            #expect(forced.status == 0 && sync.state == "complete" && sync.source("spotify")?.new == 2)

            let counts = try await ada.librarySummary()
            let summary = try await base.backline("library", "summary", as: ada)
            #expect(summary.output.first { $0.hasPrefix("Tracks") }?.hasSuffix(" \(counts.tracks.all)") == true)
            let list = try await base.backline("library", "tracks", "--limit", "3", as: ada)
            #expect(list.output.count == 5 && list.output.last == "3 of \(counts.tracks.all) tracks.")
            let items =
                try await base.backline("library", "tracks", "--limit", "1000", "--json", as: ada)
                .json["items"]?.items ?? []
            #expect(Set(items.compactMap { $0["id"]?.text }).count == counts.tracks.all)

            let title = try #require(items.first?["title"]?.text)
            let found = try await base.backline("library", "search", title.uppercased(), "--json", as: ada)
            #expect(try found.json["items"]?.items?.contains { $0["title"]?.text == title } == true)
            let none = try await base.backline("library", "search", "no title has this", as: ada)
            #expect(none.output == ["No track has 'no title has this' in its title, artist or album."])
        }
    }

    @Test("A file is imported, and one that cannot be read is named")
    func importedFile() async throws {
        try await LibraryInstallation.run { library in
            let base = library.base
            let ada = try await base.addUser()
            let lines = ["Title,Artist"] + (1...5_000).map { "Song \($0),Artist \($0 % 40)" }
            let file = "\(base.folder)/songs.csv"
            try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
            let done = try await base.backline("import", file, "--json", as: ada)
            #expect(done.status == 0, "\(done)")
            #expect(try await ada.librarySummary().tracks.all == 5_000)
            let missing = try await base.backline("import", "\(base.folder)/missing.csv", as: ada)
            #expect(missing.status == 66, "\(missing)")
            #expect(
                missing.errors == [
                    "backline: '\(base.folder)/missing.csv' cannot be read: No such file or directory."
                ])
        }
    }

    @Test("A gateway that is unreachable is named, with the reason and what to do")
    func unreachableGateway() async throws {
        try await LibraryInstallation.run { library in
            let ada = try await library.base.addUser()
            // Nothing listens on port 9, the port of the discard protocol (RFC 863).
            let result = try await library.base.backline(
                "library", "summary", "--server", "http://127.0.0.1:9", as: ada)
            #expect(result.status == 69 && result.output.isEmpty)
            let text = result.errors.joined()
            #expect(text.contains("The gateway at http://127.0.0.1:9 cannot be reached: ") && text.contains("--server"))
        }
    }
}
