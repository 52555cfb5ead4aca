/// Makes the documents of Spotify's Web API from the catalog's recordings.
struct SpotifyDocuments: Sendable {
    let catalog: RecordingCatalog
    let mode: SpotifySettings.Mode
    /// The country of a call that named a market: then tracks say whether they can be played there.
    var market: String?
    /// Titles that a library has changed, by the number of the entry.
    var titles: [UInt32: String] = [:]

    /// Only older apps see in which countries something is available.
    var availableMarkets: [String]? { mode == .legacy ? Self.markets : nil }

    private static let markets = [
        "AD", "AR", "AT", "AU", "BE", "BR", "CA", "CH", "CZ", "DE", "DK", "ES", "FI", "FR", "GB", "IE", "IT", "JP",
        "NL", "NO", "PL", "PT", "SE", "US",
    ]
}

/// A picture. The sizes of playlists' pictures are unknown.
struct SpotifyImageDocument: Encodable {
    @Nullable var height: Int?
    var url: String
    @Nullable var width: Int?
}

extension SpotifyDocuments {
    /// The pictures, the widest first; one object in fifty has none.
    func images(_ kind: String, _ subject: Int, sizes: [Int] = [640, 300, 64]) -> [SpotifyImageDocument] {
        let picture = catalog.draw(subject, .picture)
        guard picture % 50 != 0 else { return [] }
        let name = "\(kind)\(String(picture, radix: 16))"
        return sizes.map { size in
            let url = SimulatedMedia.address(
                real: "https://i.scdn.co/image/ab6761\(name)\(size)",
                path: SimulatedMedia.picturePath(name, "\(size)x\(size)"))
            return SpotifyImageDocument(height: size, url: url, width: size)
        }
    }
}

/// The number of followers, without a list of them.
struct SpotifyFollowersDocument: Encodable {
    let href = JSONNull()
    var total: Int
}
