import Model
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("Copies of playlists between services", .timeLimit(.minutes(30)))
struct LibraryCopyTests {
    private struct Copy: Decodable, Sendable {
        struct Entry: Decodable, Sendable {
            var position: Int
            var title: String
            var tried: [String]
        }

        var id: String
        var state: String
        var total: Int
        var placed: Int
        var notFound: [Entry]?
        var playlist: String?
        var editId: String?
        var question: String?
        var notice: String?
        var error: EditAnswer.Failure?
    }

    /// An entry of a copy, and what it was written as.
    private struct CopiedEntry: Sendable, Equatable {
        var position: Int
        var from: String
        var to: String?
    }

    private static let settings = [
        "BACKLINE_LIBRARY_SPOTIFY_SETTLE_SECONDS": "1", "BACKLINE_LIBRARY_APPLE_MUSIC_SETTLE_SECONDS": "1",
    ]
    private static let tracks = longTestsAreWanted ? 1_000 : 300
    private static let kills = longTestsAreWanted ? 20 : 3

    @Test(
        "A copy whose worker is killed repeatedly equals the undisturbed one, and finds the same recordings",
        arguments: [(MusicSource.spotify, MusicSource.appleMusic), (.appleMusic, .spotify)])
    func copyByKilledWorkers(source: MusicSource, target: MusicSource) async throws {
        try await LibraryInstallation.run(environment: Self.settings) { library in
            let (origin, destination) = (library.upstream(of: source), library.upstream(of: target))
            try await library.fill(origin, tracks: Self.tracks, oddities: false)
            // Most songs are not in the library at the other service, so they have to be searched for.
            try await library.fill(destination, tracks: 30, playlists: 1, oddities: false)
            let ada = try await library.base.addUser()
            try await library.connectAppleMusic(ada)
            try await ada.syncsEnded()
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            let songs = try await ada.libraryTracks(source: source.rawValue)
            let list = try await ada.begin(
                .POST, "/v1/library/playlists",
                [
                    "name": "Mix", "source": .string(source.rawValue),
                    "trackIds": .array(songs.map { .string($0.id) }),
                ])
            let made = try await ada.editEnded(list.id)
            let playlist = try #require(made.playlistId)

            let path = "/v1/library/playlists/\(playlist)/copies"
            let callsBefore = try await calls(destination)
            let asked = try await ada.post(path, #"{"to":"\#(target.rawValue)"}"#)
            #expect(asked.status == 202, "\(asked.text)")
            let first = try await ended(try asked.decode(Copy.self).id, ada)
            #expect(first.state == "complete", "\(first)")
            let repeated: Copy = try await ada.post(path, #"{"to":"\#(target.rawValue)"}"#).decode()
            #expect(repeated.id == first.id)

            // The kills happen at random moments of the whole copy.
            let step = max(1, 2 * (try await calls(destination) - callsBefore) / (Self.kills + 1))
            let second: Copy = try await ada.post(path, #"{"to":"\#(target.rawValue)","again":true}"#).decode()
            #expect(second.id != first.id)
            let seed = UInt64.random(in: 0...(.max - 1))
            print("seed \(seed)")
            var random = SeededRandom(seed: seed)
            var killed = 0
            while killed < Self.kills {
                let before = try await calls(destination)
                let wanted = before + Int.random(in: 1...step, using: &random)
                let present: Copy = try await ada.get("/v1/library/copies/\(second.id)").decode()
                if ["complete", "failed"].contains(present.state) { break }
                // A job whose worker dies three times before it makes any progress is set aside, whatever it does.
                try await eventually("a call", within: LibraryInstallation.patience) {
                    let copy = try await shown(second.id, ada)
                    return try await calls(destination) >= wanted || ["complete", "failed"].contains(copy.state)
                }
                try await library.killWorker()
                killed += 1
            }
            print("\(killed) kills")
            let again = try await ended(second.id, ada)
            #expect(again.state == "complete", "\(again)")
            #expect(again.placed == first.placed)
            let lists = try await destination.library().playlists.filter { $0.name == "Mix" }
            #expect(lists.map(\.total) == [first.placed, first.placed])
            let (one, other) = (try await placed(library, first.id), try await placed(library, second.id))
            #expect(one == other)
            try await score(one, from: source, to: target, library)
        }
    }

    /// What Apple Music shows with a delay, and which answer is lost.
    private static let delays: [(calls: Int, lost: String?)] = [
        (1, nil), (3, nil), (2, "POST /apple-music/v1/me/library/playlists"),
        (6, "POST /apple-music/v1/me/library/playlists/{id}/tracks"),
    ]

    @Test("Apple Music, which shows a copy with a delay and loses answers, has each song once, or the person is asked")
    func showingLate() async throws {
        try await LibraryInstallation.run(environment: Self.settings) { library in
            let (origin, destination) = (library.upstreams.spotify, library.upstreams.appleMusic)
            try await library.fill(origin, tracks: 40, oddities: false)
            try await library.fill(destination, tracks: 10, oddities: false)
            let ada = try await library.base.addUser()
            try await library.connectAppleMusic(ada)
            try await ada.syncsEnded()
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()
            let songs = try await ada.libraryTracks(source: "spotify")
            for (number, delay) in Self.delays.enumerated() {
                let name = "Late \(number)"
                let list = try await ada.begin(
                    .POST, "/v1/library/playlists",
                    ["name": .string(name), "source": "spotify", "trackIds": .array(songs.map { .string($0.id) })])
                let playlist = try #require(try await ada.editEnded(list.id).playlistId)
                try await destination.order("config", .object(["writesShowAfterCalls": .integer(delay.calls)]))
                if let lost = delay.lost { try await destination.injectFault("loseAnswer", endpoint: lost, times: 1) }
                let asked: Copy = try await ada.post(
                    "/v1/library/playlists/\(playlist)/copies", #"{"to":"appleMusic"}"#
                ).decode()
                // Whatever the question, everything was made.
                let copy = try await ended(asked.id, ada, answering: true)
                #expect(copy.state == "complete" && copy.error == nil && copy.notice == nil, "\(delay): \(copy)")
                #expect(copy.placed > songs.count / 2)
                try await destination.order("config", .object(["writesShowAfterCalls": 0]))
                // The calls of a sync show the rest.
                try await ada.syncAgain()
                let lists = try await destination.library().playlists.filter { $0.name == name }
                #expect(lists.map(\.total) == [copy.placed], "\(delay)")
            }
        }
    }

    /// The calls to a service so far.
    private func calls(_ upstream: SimulatedUpstream) async throws -> Int {
        try await upstream.callsByEndpoint().values.reduce(0, +)
    }

    private func ended(_ id: String, _ client: APIClient, answering isMade: Bool = false) async throws -> Copy {
        try await eventually("the end of the copy", within: LibraryInstallation.patience) { () -> Copy? in
            let copy = try await shown(id, client, answering: isMade)
            return ["complete", "failed"].contains(copy.state) ? copy : nil
        }
    }

    /// The current state of a copy. Questions are answered according to what the service has: a worker that is killed
    /// before it sends its request has made nothing.
    private func shown(_ id: String, _ client: APIClient, answering isMade: Bool = false) async throws -> Copy {
        let copy: Copy = try await client.get("/v1/library/copies/\(id)").decode()
        if copy.state == "unclear" {
            #expect(copy.question != nil)
            let path = copy.editId.map { "/v1/library/edits/\($0)" } ?? "/v1/library/copies/\(id)"
            let answer = try await client.post("\(path)/answer", #"{"done":\#(isMade)}"#)
            #expect(answer.status == 202, "\(answer.text)")
        }
        return copy
    }

    private func placed(_ library: LibraryInstallation, _ id: String) async throws -> [CopiedEntry] {
        let key = try #require(LibraryID(id)).key
        return try await library.base.withDatabase { database in
            try await database.read { reader in
                try reader.rows(
                    """
                    SELECT position, COALESCE(catalog_id, library_source_tracks.source_id) AS source_id, written_id
                    FROM library_copy_entries
                    JOIN library_source_tracks ON library_source_tracks.id = source_track_id
                    WHERE copy_id = \(key) ORDER BY position
                    """
                ).map { row in
                    CopiedEntry(position: try row["position"], from: try row["source_id"], to: try row["written_id"])
                }
            }
        }
    }

    /// Compares what was written with what the simulator knows about the recordings.
    private func score(
        _ placed: [CopiedEntry], from source: MusicSource, to target: MusicSource, _ library: LibraryInstallation
    ) async throws {
        var (bySource, byTarget): ([String: Int], [String: Int]) = ([:], [:])
        var available: Set<Int> = []
        for offset in stride(from: 0, to: 1_000_000, by: 2_000) {
            let truth = try await library.upstreams.recordings(offset: offset, limit: 2_000)
            for recording in truth {
                let (spotify, apple) = (recording.spotify.map(\.id), recording.apple.map(\.id))
                let (own, others) = source == .spotify ? (spotify, apple) : (apple, spotify)
                for id in own { bySource[id] = recording.track }
                for id in others { byTarget[id] = recording.track }
                if !others.isEmpty { available.insert(recording.track) }
            }
            if truth.isEmpty || placed.allSatisfy({ bySource[$0.from] != nil }) { break }
        }
        var (right, wrong, possible) = (0, 0, 0)
        for entry in placed {
            guard let track = bySource[entry.from] else { continue }
            if available.contains(track) { possible += 1 }
            // Songs of the library are written with the library's ids, which are not meaningful here.
            guard let id = entry.to else { continue }
            guard !id.hasPrefix("i.") else {
                possible -= 1
                continue
            }
            // A recording from another part of the catalog is a different one.
            let found = byTarget[id]
            if found == track { right += 1 } else { wrong += 1 }
        }
        let (precision, recall) = (Double(right) / Double(right + wrong), Double(right) / Double(possible))
        print("\(placed.count) entries: \(right) right, \(wrong) wrong, \(possible) possible")
        print("precision \(precision), recall \(recall)")
        #expect(right > Self.tracks / 2)
        #expect(precision >= 0.998)
        #expect(recall >= 0.97)
    }
}
