import Model
import NIOHTTP1
import TestProcesses
import TestSupport
import Testing

@Suite("Changes of libraries at their services", .timeLimit(.minutes(30)))
struct LibraryEditTests {
    /// Nothing waits for long, on a machine of any speed.
    private static let settings = [
        "BACKLINE_LIBRARY_SPOTIFY_SETTLE_SECONDS": "1", "BACKLINE_LIBRARY_APPLE_MUSIC_SETTLE_SECONDS": "1",
    ]

    private struct Lists: Decodable {
        struct Item: Decodable, Sendable {
            var id: String
            var name: String
        }

        var items: [Item]
    }

    /// What goes wrong with a write.
    private enum Trouble: CaseIterable {
        case answerLost, done500, dropped, workerKilled
    }

    @Test("A playlist of 230 songs at Spotify has each once, whatever happens to each of its writes")
    func playlistDespiteFaults() async throws {
        try await LibraryInstallation.run(environment: Self.settings) { library in
            let upstream = library.upstreams.spotify
            try await library.fill(upstream, tracks: 230, oddities: false)
            let ada = try await library.base.addUser()
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            let songs = try await ada.libraryTracks()
            #expect(songs.count == 230)

            for (number, trouble) in Trouble.allCases.enumerated() {
                let name = "List \(number)"
                // One write of each edit, each time the next one: the playlist, and then its chunks of 100.
                let edit = try await disturb(library, .spotify, write: number, trouble) {
                    try await ada.begin(
                        .POST, "/v1/library/playlists",
                        ["name": .string(name), "source": "spotify", "trackIds": .array(songs.map { .string($0.id) })])
                }
                let ended = try await ada.editEnded(edit.id)
                #expect(ended.state == "complete" && ended.done == 230, "\(trouble): \(ended)")
                let lists = try await upstream.library().playlists.filter { $0.name == name }
                #expect(lists.map(\.total) == [230], "\(trouble)")
                // What the library shows is what Spotify has.
                let shown = try await ada.entryIDs(of: try #require(ended.playlistId))
                try await ada.syncAgain()
                #expect(try await ada.entryIDs(of: try #require(ended.playlistId)) == shown)
                #expect(shown == songs.map(\.id), "\(trouble)")
            }
            let summary = try await ada.librarySummary()
            #expect(summary.playlists == Trouble.allCases.count)
        }
    }

    @Test("Apple Music has each song of a playlist once, or the person is asked")
    func appleMusic() async throws {
        try await LibraryInstallation.run(environment: Self.settings) { library in
            let upstream = library.upstreams.appleMusic
            try await library.fill(upstream, tracks: 230, oddities: false)
            let ada = try await library.base.addUser()
            try await library.connectAppleMusic(ada)
            try await ada.syncsEnded()
            let songs = try await ada.libraryTracks()

            for (number, trouble) in Trouble.allCases.enumerated() {
                let name = "List \(number)"
                let edit = try await disturb(library, .appleMusic, write: number, trouble) {
                    try await ada.begin(
                        .POST, "/v1/library/playlists",
                        [
                            "name": .string(name), "source": "appleMusic",
                            "trackIds": .array(songs.map { .string($0.id) }),
                        ])
                }
                var ended = try await ada.editEnded(edit.id)
                if ended.state == "unclear" {
                    #expect(trouble == .dropped && ended.question != nil)
                    let answer = try await ada.post("/v1/library/edits/\(edit.id)/answer", #"{"done":false}"#)
                    #expect(answer.status == 202)
                    ended = try await ada.editEnded(edit.id)
                }
                #expect(ended.state == "complete" && ended.done == songs.count, "\(trouble): \(ended)")
                let lists = try await upstream.library().playlists.filter { $0.name == name }
                #expect(lists.map(\.total) == [songs.count], "\(trouble)")
            }
        }
    }

    /// Makes something happen to a write of an edit.
    ///
    /// - Parameter number: the number of the write, from 0 for the playlist.
    private func disturb(
        _ library: LibraryInstallation, _ source: MusicSource, write number: Int, _ trouble: Trouble,
        begin: () async throws -> EditAnswer
    ) async throws -> EditAnswer {
        let isApple = source == .appleMusic
        let upstream = isApple ? library.upstreams.appleMusic : library.upstreams.spotify
        let endpoint =
            number == 0
            ? (isApple ? "POST /apple-music/v1/me/library/playlists" : "POST /spotify/v1/me/playlists")
            : (isApple
                ? "POST /apple-music/v1/me/library/playlists/{id}/tracks" : "POST /spotify/v1/playlists/{id}/items")
        func made() async throws -> Int { try await upstream.callsByEndpoint()[endpoint] ?? 0 }
        let before = try await made()
        switch trouble {
        case .answerLost: try await upstream.injectFault("loseAnswer", endpoint: endpoint, times: 1)
        case .done500: try await upstream.injectFault("done500", endpoint: endpoint, times: 1)
        case .dropped: try await upstream.injectFault("drop", endpoint: endpoint, times: 1)
        case .workerKilled: try await upstream.injectFault("hold", endpoint: endpoint, times: 1)
        }
        let edit = try await begin()
        if trouble == .workerKilled {
            try await eventually("the write", within: LibraryInstallation.patience) { try await made() > before }
            try await library.killWorker()
        }
        try await eventually("the request", within: LibraryInstallation.patience) { try await made() > before }
        if trouble == .workerKilled { try await upstream.heal() }
        return edit
    }

    @Test("An edit whose worker is killed five times, at random moments, loses and duplicates nothing")
    func killedAgainAndAgain() async throws {
        let seed = UInt64.random(in: 0...(.max - 1))
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        try await LibraryInstallation.run(environment: Self.settings) { library in
            let upstream = library.upstreams.spotify
            try await library.fill(upstream, tracks: 620, oddities: false)
            let ada = try await library.base.addUser()
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            let songs = try await ada.libraryTracks()
            let edit = try await library.killWorker(atWrites: 5, random: &random) {
                try await ada.begin(
                    .POST, "/v1/library/playlists",
                    ["name": "Long", "source": "spotify", "trackIds": .array(songs.map { .string($0.id) })])
            }
            let ended = try await ada.editEnded(edit.id)
            #expect(ended.state == "complete" && ended.done == songs.count, "\(ended)")
            let lists = try await upstream.library().playlists.filter { $0.name == "Long" }
            #expect(lists.map(\.total) == [songs.count])
            try await ada.syncAgain()
            #expect(try await ada.entryIDs(of: try #require(ended.playlistId)) == songs.map(\.id))
        }
    }

    @Test("Songs are saved and removed, entries are removed, and refusals say why")
    func savedAndRemovedSongs() async throws {
        try await LibraryInstallation.run(environment: Self.settings) { library in
            let upstream = library.upstreams.spotify
            try await library.fill(upstream, tracks: 60, playlists: 3, oddities: false)
            try await library.fill(library.upstreams.appleMusic, tracks: 20, playlists: 1, oddities: false)
            let ada = try await library.base.addUser()
            let refused = try await ada.send(
                .PUT, "/v1/library/tracks/spotify:4uLU6hMCjMI75M1A2tKUQC/saved",
                body: Array(#"{"source":"spotify"}"#.utf8))
            #expect(try refused.problem.code == "spotifyNotConnected")
            #expect(refused.status == 409)
            try await library.connectAppleMusic(ada)
            try await ada.syncsEnded()
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            let songs = try await ada.libraryTracks(source: "spotify")
            let total = try await upstream.library().tracks

            // A song is removed and saved again; syncs agree.
            let song = songs[0].id
            let key = ["Idempotency-Key": "once"]
            let removal = try await ada.send(
                .DELETE, "/v1/library/tracks/\(song)/saved?source=spotify", headers: key)
            let again = try await ada.send(
                .DELETE, "/v1/library/tracks/\(song)/saved?source=spotify", headers: key)
            let edit: EditAnswer = try removal.decode()
            let same: EditAnswer = try again.decode()
            #expect(removal.status == 202 && edit.kind == "unsave" && same.id == edit.id)
            let ended = try await ada.editEnded(edit.id)
            #expect(ended.state == "complete")
            #expect(try await upstream.library().tracks == total - 1)
            try await ada.syncAgain()
            let saving = try await ada.begin(.PUT, "/v1/library/tracks/\(song)/saved", ["source": "spotify"])
            #expect(try await ada.editEnded(saving.id).state == "complete")
            try await ada.syncAgain()
            #expect(try await upstream.library().tracks == total)

            // Apple Music offers neither.
            let apple = try await ada.libraryTracks(source: "appleMusic")
            let unsaved = try await ada.send(.DELETE, "/v1/library/tracks/\(apple[0].id)/saved?source=appleMusic")
            #expect(try unsaved.problem.code == "notSupportedBySource")
            #expect(unsaved.status == 409)

            // A playlist from a file is not changed at any service, whatever is connected.
            let file = try await ada.send(
                .POST, "/v1/library/imports?filename=Tapes.csv", body: Array("Title,Artist,Playlist\nA,B,Tapes\n".utf8))
            #expect(file.status == 202, "\(file.text)")
            let tapes = try await eventually("the playlist of the file", within: LibraryInstallation.patience) {
                let lists: Lists = try await ada.get("/v1/library/playlists").decode()
                return lists.items.first { $0.name == "Tapes" }
            }
            let ofFile = try await ada.send(
                .PATCH, "/v1/library/playlists/\(tapes.id)", body: Array(#"{"name":"New"}"#.utf8))
            #expect(try ofFile.problem.code == "notSupportedBySource")
            #expect(ofFile.status == 409)

            // Entries are removed by position in the list that was seen.
            let made = try await ada.begin(
                .POST, "/v1/library/playlists",
                [
                    "name": "Own", "source": "spotify",
                    "trackIds": .array([0, 1, 0, 2, 1].map { .string(songs[$0].id) }),
                ])
            let playlist = try #require(try await ada.editEnded(made.id).playlistId)
            let seen = try await ada.playlist(playlist)
            #expect(seen.canAdd && seen.canRemove && seen.canRename && seen.refusal == nil)
            let removed = try await ada.begin(
                .DELETE, "/v1/library/playlists/\(playlist)/tracks",
                ["version": .string(seen.version), "positions": .array([0, 4])])
            let stale = try await ada.send(
                .DELETE, "/v1/library/playlists/\(playlist)/tracks",
                body: Array(#"{"version":"\#(seen.version)","positions":[0]}"#.utf8))
            #expect(try stale.problem.code == "playlistChanged")
            #expect(stale.status == 409)
            #expect(try await ada.entryIDs(of: playlist) == [1, 0, 2].map { songs[$0].id })
            #expect(try await ada.editEnded(removed.id).state == "complete")
            let renamed = try await ada.begin(.PATCH, "/v1/library/playlists/\(playlist)", ["name": "Mine"])
            #expect(try await ada.editEnded(renamed.id).state == "complete")
            try await ada.syncAgain()
            #expect(try await ada.entryIDs(of: playlist) == [1, 0, 2].map { songs[$0].id })
            #expect(try await ada.playlist(playlist).name == "Mine")
            #expect(try await upstream.library().playlists.first { $0.name == "Mine" }?.total == 3)

            // Another person sees none of it.
            let bob = try await library.base.addUser("bob")
            #expect(try await bob.get("/v1/library/edits/\(edit.id)").status == 404)
        }
    }
}
