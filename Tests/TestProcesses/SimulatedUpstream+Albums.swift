/// Albums that artists of the simulated recordings release.
extension SimulatedUpstream {
    /// An album that came out, or an edition of it.
    package struct NewAlbum: Decodable, Sendable {
        package var number: Int
        package var title: String
        /// The artist's name and id at Spotify.
        package var artist: String
        package var spotifyArtistID: String
        package var spotifyID: String
    }

    /// Releases an album at both services.
    ///
    /// - Parameters:
    ///   - artist: the number of one of the artist's recordings divided by 40.
    ///   - kind: `album`, `single`, `ep` or `compilation`.
    ///   - date: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; `nil` for the day of the simulator.
    ///   - editions: what further editions have in brackets; an empty text repeats the title.
    /// - Returns: the album, then its editions.
    @discardableResult
    package func release(
        _ title: String, artist: Int, kind: String = "album", date: String? = nil, editions: [String] = []
    ) async throws -> [NewAlbum] {
        var command: [String: JSON] = [
            "title": .string(title), "artist": .integer(artist), "kind": .string(kind),
            "editions": .array(editions.map { .string($0) }),
        ]
        command["date"] = date.map { .string($0) }
        let response = try await client.post("/_sim/recordings/albums", JSON.object(command).encoded)
        try Simulator.check(response)
        return try response.decode()
    }
}
