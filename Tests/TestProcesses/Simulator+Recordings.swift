/// The recordings that Spotify and Apple Music share.
extension Simulator {
    /// A recording with its listings at both services.
    package struct Recording: Decodable, Sendable {
        package struct Listing: Decodable, Sendable {
            package var id: String
            /// The edition, such as `deluxe`.
            package var release: String
            package var title: String
            package var artist: String
            package var album: String
            package var durationMs: Int
            /// The ISRC as the service shows it.
            package var isrc: String?
            /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
            package var released: String
            /// Apple: `nil` for songs that have neither an explicit nor a clean form.
            package var explicit: Bool?
        }

        package var recording: Int
        /// The same number is the same song, perhaps in another version.
        package var song: Int
        package var version: String
        /// The same number is the same track to people: a remaster counts as the recording from which it was made.
        package var track: Int
        package var spotify: [Listing]
        /// The listings at Apple Music; empty if the storefront does not sell it.
        package var apple: [Listing]
    }

    /// A part of the catalog, with Apple's ids of one storefront.
    package func recordings(offset: Int = 0, limit: Int, storefront: String = "fr") async throws -> [Recording] {
        try await client.get("/_sim/recordings?offset=\(offset)&limit=\(limit)&storefront=\(storefront)").decode()
    }

    /// Replaces the catalog. Afterwards all libraries are gone.
    ///
    /// - Parameter count: 1 to 2,000,000; rounded up to whole artists of 40 recordings.
    package func setRecordings(seed: Int = 1, count: Int) async throws {
        let settings = JSON.object(["seed": .integer(seed), "count": .integer(count)])
        try Self.check(await client.post("/_sim/recordings/settings", settings.encoded))
    }

    /// Gives the usual person of each service a library.
    ///
    /// - Parameter shared: how many recordings are in both, at most the smaller number.
    package func setLibraries(
        spotify spotifyTracks: Int, apple appleTracks: Int, shared: Int, playlists: Int = 0, entries: Int = 30,
        albums: Int = 0, oddities: Bool = true, seed: Int = 1
    ) async throws {
        try await spotify.setLibrary(
            tracks: spotifyTracks, playlists: playlists, entries: entries, albums: albums, oddities: oddities,
            seed: seed)
        try await appleMusic.setLibrary(
            tracks: appleTracks, first: spotifyTracks - shared, playlists: playlists, entries: entries,
            albums: albums, oddities: oddities, seed: seed)
    }
}
