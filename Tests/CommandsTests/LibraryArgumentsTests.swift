import ArgumentParser
import Foundation
import Model
import Testing

@testable import CommandSupport
@testable import LibraryCommands

@Suite("backline library")
struct LibraryArgumentsTests {
    @Test("All arguments are optional, except a search's query")
    func defaultArguments() throws {
        let tracks = try LibraryCommand.Tracks.parse([])
        #expect(tracks.source == .all)
        #expect(tracks.sort == .recentlyAdded)
        #expect(tracks.output.limit == 50)
        let sync = try LibraryCommand.Sync.parse([])
        #expect(sync.source == nil)
        #expect(sync.timeout == nil)
        #expect(!sync.force && !sync.json)
    }

    @Test("All arguments are read")
    func allArguments() throws {
        let tracks = try LibraryCommand.Tracks.parse([
            "--source", "both", "--sort", "playCount", "--limit", "1000", "--json",
        ])
        #expect(tracks.source == .both)
        #expect(tracks.sort == .playCount)
        #expect(tracks.output.limit == 1_000)
        #expect(tracks.output.json)
        let search = try LibraryCommand.Search.parse(["Tame Impala", "--source", "appleMusic"])
        #expect(search.query == "Tame Impala")
        #expect(search.source == .appleMusic)
        let sync = try LibraryCommand.Sync.parse(["--source", "spotify", "--force", "--timeout", "60"])
        #expect(sync.source == .spotify)
        #expect(sync.force)
        #expect(sync.timeout == 60)
    }

    @Test("A page's address has the filter, the order, the search and the cursor")
    func addressOfAPage() {
        #expect(
            LibraryAPI.path(.init(), limit: 50, cursor: nil)
                == "/v1/library/tracks?source=all&sort=recentlyAdded&limit=50")
        #expect(
            LibraryAPI.path(.init(source: .both, sort: .title, text: "a&b"), limit: 200, cursor: "c=1")
                == "/v1/library/tracks?source=both&sort=title&limit=200&q=a%26b&cursor=c%3D1")
    }

    @Test("Tracks are shown with the services that have them, and missing ones with a note")
    func tableOfTracks() throws {
        let page = try JSONDecoder().decode(
            LibraryTrackPage.self,
            from: Data(
                #"""
                {"total": 3, "nextCursor": null, "items": [
                    {"id": "a", "title": "Jóga", "artist": "Björk", "album": "Homogenic", "durationMs": 305400,
                     "isrc": null, "sources": ["appleMusic", "spotify"], "inLibrary": true, "missingSince": null},
                    {"id": "b", "title": "Gone", "artist": "Nobody", "album": "", "durationMs": null,
                     "sources": ["spotify"], "inLibrary": true, "missingSince": "2026-11-05T10:00:00.000000Z"},
                    {"id": "c", "title": "Other", "artist": "Nobody", "album": "", "durationMs": 59600,
                     "sources": ["napster"], "inLibrary": false, "missingSince": null}]}
                """#.utf8))
        let lines = TableLayout(LibraryTable(tracks: page.items).columns, width: 120).lines(isColored: false)
        #expect(lines.count == 4)
        #expect(lines[1].contains("Jóga") && lines[1].contains("5:05") && lines[1].contains("Apple Music, Spotify"))
        #expect(lines[2].contains("gone since 2026-11-05"))
        #expect(lines[3].contains("1:00") && lines[3].contains("napster"))
        #expect(lines[3].contains("in a playlist only"))
    }

    @Test("The number of tracks says whether there are more")
    func countOfTracks() {
        #expect(LibraryTable.count(50, of: 3_400) == "50 of 3400 tracks.")
        #expect(LibraryTable.count(1, of: 1) == "1 track.")
    }

    @Test("An empty list says what was searched for")
    func emptyList() {
        #expect(LibraryTrackOutput.emptyList(.init(source: .both)).hasPrefix("There are no such tracks."))
        #expect(
            LibraryTrackOutput.emptyList(.init(text: "björk")) == "No track has 'björk' in its title, artist or album.")
        #expect(
            LibraryTrackOutput.emptyList(.init(source: .spotify, text: "x"))
                == "None of these tracks has 'x' in its title, artist or album.")
    }

    @Test("The summary has a line for each count")
    func summaryOfCounts() throws {
        let answer = try JSONDecoder().decode(
            LibrarySummaryAnswer.self,
            from: Data(
                #"""
                {"tracks": {"all": 5, "appleMusic": 3, "spotify": 4, "both": 2}, "playlists": 7, "albums": 8,
                 "missing": 1, "lastSyncedAt": "2026-11-20T22:15:42.000123Z"}
                """#.utf8))
        #expect(
            answer.lines == [
                "Tracks           5", "Apple Music      3", "Spotify          4", "Both             2",
                "No longer saved  1", "Playlists        7", "Albums           8",
                "Last synced      2026-11-20 22:15:42",
            ])
    }
}
