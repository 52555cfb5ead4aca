/// The libraries of `simulator.spotify` and `simulator.appleMusic`.
extension SimulatedUpstream {
    /// A person's library after a command.
    package struct Library: Decodable, Sendable {
        package struct Playlist: Decodable, Sendable {
            package var id: String
            package var name: String
            package var total: Int
            package var isOwn: Bool
            /// Spotify.
            package var snapshotId: String?
        }

        package var person: String
        /// Saved tracks that can be read.
        package var tracks: Int
        /// The saved tracks that the service counts.
        package var total: Int
        package var albums: Int
        package var playlists: [Playlist]
        /// Library ids that the command added or removed.
        package var added: [String]
        package var removed: [String]
        /// Changes that wait for a page.
        package var waiting: Int
    }

    /// Which recording a library's track is.
    package struct TrackTruth: Decodable, Sendable, Equatable {
        /// Spotify's track id, or Apple's `i.…`.
        package var id: String
        /// The same number is the same recording, at both services.
        package var recording: Int
        /// The same number is the same song, perhaps in another version.
        package var song: Int
        package var version: String
        /// The number of the track, as in ``Simulator/Recording``.
        package var track: Int
    }

    /// The requests of one app in Spotify's rolling windows.
    package struct Window: Decodable, Sendable {
        package var admitted: Int
        package var refused: Int
        /// The most that one window admitted.
        package var largest: Int
    }

    /// Replaces a person's library.
    ///
    /// - Parameters:
    ///   - first: the first position in the seed's order of all recordings; two libraries with the same seed share what
    ///     is in both ranges.
    ///   - entries: the number of entries of each playlist.
    ///   - oddities: whether there are special playlists, duplicates and missing attributes.
    ///   - person: Spotify's id, or the account of an Apple user token; `nil` for the usual one.
    ///   - extra: further members of the plan: `hidden`, `nulls`, `uploads`.
    @discardableResult
    package func setLibrary(
        tracks: Int, first: Int = 0, playlists: Int = 0, entries: Int = 30, albums: Int = 0, oddities: Bool = true,
        seed: Int = 1, person: String? = nil, extra: [String: Int] = [:]
    ) async throws -> Library {
        var plan = extra.mapValues { JSON.integer($0) }
        let numbers = [
            "tracks": tracks, "first": first, "playlists": playlists, "entries": entries, "albums": albums,
            "seed": seed,
        ]
        for (name, number) in numbers { plan[name] = .integer(number) }
        plan["oddities"] = .bool(oddities)
        plan["person"] = person.map { .string($0) }
        return try await order("library", .object(plan)).decode()
    }

    package func library(of person: String? = nil) async throws -> Library {
        try await ask("library" + (person.map { "?person=\($0)" } ?? ""))
    }

    /// Changes a person's library, now or after a page.
    ///
    /// - Parameters:
    ///   - numbers: `add`, `remove`, `replace` (one in and one out), `readd`, `addAlbums`, `removeAlbums`.
    ///   - after: the list (`tracks`, `albums`, `playlists`, `items`) and the number of the page, counted from now on,
    ///     that the change follows.
    ///   - at: the request that the change comes before or after. Without both it happens at once.
    @discardableResult
    package func changeLibrary(
        _ numbers: [String: Int] = [:], playlists: [PlaylistEdit] = [], person: String? = nil,
        after: (list: String, page: Int)? = nil, at: RequestMoment? = nil
    ) async throws -> Library {
        var change = numbers.mapValues { JSON.integer($0) }
        if !playlists.isEmpty { change["playlists"] = .array(playlists.map(\.json)) }
        change["person"] = person.map { .string($0) }
        change["after"] = after.map { .object(["list": .string($0.list), "page": .integer($0.page)]) }
        change["at"] = at?.json
        return try await order("library/changes", .object(change)).decode()
    }

    /// Removes the tracks with these ids.
    @discardableResult
    package func removeTracks(_ ids: [String], person: String? = nil) async throws -> Library {
        var change: [String: JSON] = ["removeIds": .array(ids.map { .string($0) })]
        change["person"] = person.map { .string($0) }
        return try await order("library/changes", .object(change)).decode()
    }

    /// Gives a track of the library another title.
    @discardableResult
    package func renameTrack(_ id: String, to title: String, person: String? = nil) async throws -> Library {
        var change: [String: JSON] = ["rename": .object(["id": .string(id), "title": .string(title)])]
        change["person"] = person.map { .string($0) }
        return try await order("library/changes", .object(change)).decode()
    }

    /// The recordings of a library's readable tracks, in order.
    package func truth(person: String? = nil, offset: Int = 0, limit: Int = 100_000) async throws -> [TrackTruth] {
        let whose = person.map { "&person=\($0)" } ?? ""
        return try await ask("library/truth?offset=\(offset)&limit=\(limit)\(whose)")
    }

    /// Spotify: the use of the rolling windows, by client id.
    package func windows() async throws -> [String: Window] {
        try await ask("window")
    }

    /// The number of calls by endpoint, such as `GET /spotify/v1/me/tracks`; ids are `{id}`.
    package func callsByEndpoint() async throws -> [String: Int] {
        struct Endpoint: Decodable {
            var arrivals: Int
        }
        let endpoints: [String: Endpoint] = try await ask("counters")
        return endpoints.mapValues(\.arrivals)
    }
}
