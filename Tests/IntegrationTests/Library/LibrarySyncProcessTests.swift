import Foundation
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("Syncs of libraries", .timeLimit(.minutes(20)))
struct LibrarySyncProcessTests {
    @Test("Connecting a service reads its library, and a second sync takes three requests per source")
    func connectedService() async throws {
        try await LibraryInstallation.run { library in
            let (spotify, apple) = (library.upstreams.spotify, library.upstreams.appleMusic)
            try await library.fill(spotify, tracks: 320, playlists: 4, albums: 30, oddities: false)
            try await library.fill(apple, tracks: 340, first: 120, playlists: 3, albums: 20, oddities: false)
            let ada = try await library.base.addUser()
            #expect(try await ada.get("/v1/library/syncs/latest").status == 204)
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            try await library.connectAppleMusic(ada)
            let first = try await ada.syncsEnded()
            #expect(first.state == "complete", "\(first)")
            let summary = try await ada.librarySummary()
            #expect(summary.tracks.spotify >= 300 && summary.tracks.appleMusic >= 300 && summary.tracks.both > 0)
            #expect(summary.playlists >= 7 && summary.albums == 50 && summary.missing == 0)
            #expect(summary.lastSyncedAt != nil)

            let before = (try await library.requests(spotify), try await library.requests(apple))
            _ = try await ada.askForSync(#"{"force":true}"#)
            let second = try await ada.syncsEnded()
            #expect(second.state == "complete" && second.sources.allSatisfy { $0.new == 0 }, "\(second)")
            #expect(try await library.requests(spotify) - before.0 == 3)
            #expect(try await library.requests(apple) - before.1 == 3)

            // One song is added and one removed, so that Spotify's total does not change.
            try await library.change(spotify, ["replace": 1])
            _ = try await ada.askForSync(#"{"source":"spotify"}"#)
            let third = try await ada.syncsEnded()
            #expect(third.source("spotify")?.new ?? 0 >= 1)
            let after = try await ada.librarySummary()
            #expect(after.missing <= 1)
        }
    }

    @Test("A complete scan does not look up songs in Apple Music's catalog that were looked up before")
    func lookupsAreNotRepeated() async throws {
        try await LibraryInstallation.run { library in
            let apple = library.upstreams.appleMusic
            try await library.fill(apple, tracks: 340)
            let ada = try await library.base.addUser()
            try await library.connectAppleMusic(ada)
            try await ada.syncsEnded()
            let lookups = try await apple.calls("catalog")
            // Some come without an ISRC, and some of these have none in the catalog either.
            #expect(lookups > 0)
            let before = try await library.rows()
            #expect(try await library.forgetReadings(of: .appleMusic) > 0)
            _ = try await ada.askForSync(#"{"source":"appleMusic"}"#)
            #expect(try await ada.syncsEnded().state == "complete")
            #expect(try await apple.calls("catalog") == lookups)
            #expect(try await library.rows() == before)
        }
    }

    @Test("A request joins the sync that covers it, and a forced one is queued after it")
    func joinedSync() async throws {
        try await LibraryInstallation.run { library in
            try await library.fill(library.upstreams.spotify, tracks: 300)
            let ada = try await library.base.addUser()
            try await library.holdPages()
            try await library.connectSpotify(ada)
            let running = try await ada.latestSync().id
            try await library.advance(sync: running, toPage: 3)
            #expect(try await ada.latestSync().state == "running")
            #expect(try await ada.askForSync(#"{"source":"spotify"}"#).id == running)
            let forced = try await ada.askForSync(#"{"force":true}"#)
            #expect(forced.id != running && forced.state == "queued")
            #expect(try await ada.askForSync(#"{"force":true}"#).id == forced.id)
            #expect(try await ada.latestSync().id == forced.id)
            try await library.letPagesPass()
            let end = try await ada.syncsEnded()
            #expect(end.id == forced.id && end.state == "complete")
            // It finished within five minutes.
            let skipping = try await ada.askForSync()
            let last = try await ada.syncsEnded()
            #expect(last.id == skipping.id && last.source("spotify")?.state == "skipped")
        }
    }

    @Test("The event stream and the latest sync report the progress of each source and phase while it runs")
    func reportedProgress() async throws {
        try await LibraryInstallation.run { library in
            try await library.fill(library.upstreams.spotify, tracks: 300, albums: 10, oddities: false)
            let ada = try await library.base.addUser()
            let stream = try await EventStream.open(ada)
            func told(_ what: String, where isWanted: (LibrarySyncAnswer) -> Bool) async throws -> LibrarySyncAnswer {
                func sync(_ event: ServerSentEvent) -> LibrarySyncAnswer? {
                    guard event.name == "librarySync" else { return nil }
                    return try? JSONDecoder().decode(LibrarySyncAnswer.self, from: Data(event.data.utf8))
                }
                let event = try await stream.first(what) { sync($0).map(isWanted) ?? false }
                return try #require(sync(event))
            }
            try await library.holdPages()
            try await library.connectSpotify(ada)
            let id = try await ada.latestSync().id
            // The first page has been written when the third one is requested.
            try await library.advance(sync: id, toPage: 3)
            let event = try await told("the first pages") { $0.source("spotify")?.found ?? 0 >= 50 }
            for sync in [event, try await ada.latestSync()] {
                #expect(sync.id == id && sync.state == "running" && sync.finishedAt == nil, "\(sync)")
                let source = try #require(sync.source("spotify"))
                #expect(source.state == "running" && source.phase == "tracks" && source.total == 300, "\(source)")
                #expect((50...100).contains(source.found) && source.new == source.found, "\(source)")
            }
            try await library.letPagesPass()
            let end = try await told("the end") { $0.isFinished }
            #expect(end.id == id && end.state == "complete" && end.finishedAt != nil)
            let source = try #require(end.source("spotify"))
            #expect(source.phase == "albums" && source.found == 310 && source.total == 310, "\(source)")
            stream.close()
        }
    }

    @Test("A missing scope makes the sync partial, and the consent starts it again")
    func missingScope() async throws {
        try await LibraryInstallation.run { library in
            let spotify = library.upstreams.spotify
            try await library.fill(spotify, tracks: 60)
            try await library.fill(library.upstreams.appleMusic, tracks: 60)
            let ada = try await library.base.addUser()
            try await library.connectAppleMusic(ada)
            try await ada.syncsEnded()
            try await spotify.configure(["withheldScopes": .array([.string("user-library-read")])])
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            _ = try await ada.askForSync(#"{"force":true}"#)
            let partial = try await ada.syncsEnded()
            #expect(partial.state == "partial", "\(partial)")
            #expect(partial.source("spotify")?.error?.code == "scopeMissing")
            #expect(partial.source("appleMusic")?.state == "complete")
            #expect(try await ada.post("/v1/library/errors/dismiss").status < 300)
            #expect(try await ada.latestSync().source("spotify")?.error == nil)

            try await spotify.configure(["withheldScopes": .array([])])
            try await library.connectSpotify(ada)
            let end = try await ada.syncEnded(after: partial.id)
            #expect(end.state == "complete" && end.source("spotify")?.found ?? 0 >= 60, "\(end)")
        }
    }

    @Test("A playlist that is deleted while the library is read does not end its source")
    func deletedPlaylist() async throws {
        try await LibraryInstallation.run { library in
            let (spotify, apple) = (library.upstreams.spotify, library.upstreams.appleMusic)
            let ada = try await library.base.addUser()
            for upstream in [spotify, apple] {
                try await library.fill(upstream, tracks: 40, playlists: 3, albums: 5, oddities: false)
                let playlist = try #require(try await upstream.library().playlists.last)
                try await upstream.changeLibrary(
                    playlists: [.init("delete", id: playlist.id)], after: (list: "playlists", page: 1))
            }
            try await library.connectAppleMusic(ada)
            #expect(try await ada.syncsEnded().state == "complete")
            try await library.connectSpotify(ada)
            #expect(try await ada.syncsEnded().state == "complete")
            let summary = try await ada.librarySummary()
            #expect(summary.playlists == 6 && summary.albums == 10)
        }
    }

    @Test("Disconnecting deletes a source's rows, and connecting again reads it again")
    func disconnectedSource() async throws {
        try await LibraryInstallation.run { library in
            try await library.fill(library.upstreams.spotify, tracks: 200, playlists: 2, albums: 10)
            try await library.fill(library.upstreams.appleMusic, tracks: 100)
            let ada = try await library.base.addUser()
            try await library.connectAppleMusic(ada)
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            let both = try await library.rows()
            let gone = try await ada.send(.DELETE, "/v1/setup/spotify")
            #expect(gone.status == 200, "\(gone.text)")
            try await eventually("the removal", within: LibraryInstallation.patience) {
                let summary = try await ada.librarySummary()
                let rows = try await library.rows()
                return summary.tracks.spotify == 0 && summary.tracks.appleMusic > 0
                    && rows.allSatisfy { !$0.hasPrefix("track 2 ") }
            }
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            #expect(try await library.rows() == both)
        }
    }

    @Test("Disconnecting a source during its sync ends the sync, and leaves no rows of the source")
    func disconnectingDuringSync() async throws {
        try await LibraryInstallation.run { library in
            try await library.fill(library.upstreams.spotify, tracks: 500, playlists: 3)
            let ada = try await library.base.addUser()
            try await library.holdPages()
            try await library.connectSpotify(ada)
            try await library.advance(sync: ada.latestSync().id, toPage: 6)
            #expect(try await ada.send(.DELETE, "/v1/setup/spotify").status == 200)
            try await library.letPagesPass()
            let end = try await ada.syncsEnded()
            #expect(end.state == "partial" && end.source("spotify")?.error?.code == "connectionNeeded", "\(end)")
            try await eventually("the removal", within: LibraryInstallation.patience) {
                try await library.rows().isEmpty
            }
        }
    }

    @Test("A person who leaves during a sync leaves no rows behind")
    func personWhoLeaves() async throws {
        try await LibraryInstallation.run { library in
            try await library.fill(library.upstreams.spotify, tracks: 500, playlists: 3)
            let ada = try await library.base.addUser("ada")
            try await library.holdPages()
            try await library.connectSpotify(ada)
            try await library.advance(sync: ada.latestSync().id, toPage: 6)
            let left = try await ada.leave(as: "ada")
            #expect((200..<300).contains(left.status), "\(left.text)")
            try await library.letPagesPass()
            try await eventually("no rows to be left", within: LibraryInstallation.patience) {
                try await library.base.withDatabase { database in
                    try await database.read { reader in
                        try reader.row(
                            """
                            SELECT 1 AS found FROM erasures UNION ALL SELECT 1 FROM libraries
                            UNION ALL SELECT 1 FROM library_accounts UNION ALL SELECT 1 FROM library_source_tracks
                            UNION ALL SELECT 1 FROM library_tracks UNION ALL SELECT 1 FROM library_playlists
                            UNION ALL SELECT 1 FROM library_playlist_entries UNION ALL SELECT 1 FROM library_changes
                            UNION ALL SELECT 1 FROM library_sightings UNION ALL SELECT 1 FROM library_search_blocks
                            UNION ALL SELECT 1 FROM library_syncs UNION ALL SELECT 1 FROM library_sync_sources
                            UNION ALL SELECT 1 FROM library_readings LIMIT 1
                            """) == nil
                    }
                }
            }
        }
    }
}
