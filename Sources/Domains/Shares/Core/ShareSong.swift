import Crypto
import Foundation
import Identity
import Model
import Storage

/// What a share shows of a song. Two shares with equal songs share one row, and no share depends on what somebody else
/// says about an ISRC or an id.
package struct ShareSong: Sendable, Hashable {
    package let title: String
    /// At least one.
    package let artists: [String]
    package let album: String?
    package let durationMs: Int?
    package let isrc: String?
    package let isExplicit: Bool?
    package let picture: Picture?
    /// The address of a preview that the service gave.
    package let preview: String?
    /// The song's id at Spotify, as Spotify gave it.
    package let spotifyID: String?
    /// The song's id in Apple Music's catalog of a country, as Apple gave it.
    package let apple: AppleID?

    package struct AppleID: Sendable, Hashable {
        package let id: String
        /// Two letters in lower case.
        package let country: String

        /// - Returns: `nil` for a text that cannot be an id in a country's catalog.
        package init?(_ id: String, country: String?) {
            guard let country = country.flatMap(Self.country), Self.isID(id) else { return nil }
            (self.id, self.country) = (id, country)
        }

        /// A country's two letters in lower case; `nil` for any other text.
        package static func country(_ text: String) -> String? {
            let letters = text.lowercased()
            return letters.utf8.count == 2 && letters.utf8.allSatisfy { (0x61...0x7A).contains($0) } ? letters : nil
        }

        /// Whether a text has the form of the catalog's ids: at most 20 digits.
        package static func isID(_ text: String) -> Bool {
            (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    /// The most artists; further ones are left out.
    private static let mostArtists = 20

    /// Texts are cleaned of what nobody sees, and of what changes the direction of the text around them.
    ///
    /// - Parameters:
    ///   - artists: empty ones are left out.
    ///   - spotifyID: ignored if it has not the form of an id.
    ///   - preview: ignored if it is not an address.
    /// - Returns: `nil` without a title or an artist.
    package init?(
        title: String, artists: [String], album: String? = nil, durationMs: Int? = nil, isrc: String? = nil,
        isExplicit: Bool? = nil, picture: Picture? = nil, preview: String? = nil, spotifyID: String? = nil,
        apple: AppleID? = nil
    ) {
        self.title = Self.cleaned(title)
        self.artists = artists.map(Self.cleaned).filter { !$0.isEmpty }.prefix(Self.mostArtists).map(\.self)
        guard !self.title.isEmpty, !self.artists.isEmpty else { return nil }
        self.album = album.map(Self.cleaned).flatMap { $0.isEmpty ? nil : $0 }
        self.durationMs = durationMs.flatMap { (1...86_400_000).contains($0) ? $0 : nil }
        self.isrc = isrc.flatMap(SongText.isrc)
        self.isExplicit = isExplicit
        self.picture = picture.flatMap { picture in
            Picture(picture.offers.filter { $0.address.utf8.count <= MediaAddress.maximumLength && $0.isOneLine })
        }
        self.preview = preview.flatMap { MediaAddress($0) == nil ? nil : $0 }
        self.spotifyID = spotifyID.flatMap { $0.isSpotifyID ? $0 : nil }
        self.apple = apple
    }

    private static func cleaned(_ text: String) -> String {
        SongText.label(text).trimmingCharacters(in: .whitespaces)
    }

    /// What identity compares.
    package var record: IdentityRecord {
        IdentityRecord(
            title: title, artist: artists.joined(separator: ", "), album: album ?? "", durationMs: durationMs,
            isrc: isrc,
            isExplicit: isExplicit)
    }

    /// The id of the song at a service, as the service gave it.
    package func id(at source: MusicSource) -> String? {
        switch source {
        case .spotify: spotifyID
        case .appleMusic: apple?.id
        case .file: nil
        }
    }
}

extension Picture.Offer {
    fileprivate var isOneLine: Bool { address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } }

    /// As a line of `share_contents.pictures`, in the form of ``PicturePaths``.
    fileprivate var line: String { (width.map { "\($0) " } ?? "") + address }

    fileprivate init(line: Substring) {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else {
            self.init(address: String(line))
            return
        }
        self.init(address: String(words[1]), width: Int(decimal: words[0], in: 0...1_000_000))
    }
}

extension ShareSong {
    static let columns: SQL = """
        share_contents.title, share_contents.artists, share_contents.album, share_contents.duration_ms,
        share_contents.isrc, share_contents.is_explicit, share_contents.pictures, share_contents.preview,
        share_contents.spotify_id, share_contents.apple_id, share_contents.apple_country
        """

    init(row: Row) throws {
        title = try row["title"]
        artists = (try row["artists"] as String).split(separator: "\n").map(String.init)
        album = try row["album"]
        durationMs = try row["duration_ms"]
        isrc = try row["isrc"]
        isExplicit = try row["is_explicit"]
        picture = (try row["pictures"] as String?).flatMap { lines in
            Picture(lines.split(separator: "\n").map { Picture.Offer(line: $0) })
        }
        preview = try row["preview"]
        spotifyID = try row["spotify_id"]
        let appleID: String? = try row["apple_id"]
        let country: String? = try row["apple_country"]
        apple = appleID.flatMap { AppleID($0, country: country) }
    }

    /// The value of `share_contents.artists`. No name has a line break (``SongText``).
    var artistLines: String { artists.joined(separator: "\n") }
    /// The value of `share_contents.pictures`.
    var pictureLines: String? { picture.map { $0.offers.map(\.line).joined(separator: "\n") } }

    /// A hash of everything that is shown.
    var hash: [UInt8] {
        let parts = [
            title, artistLines, album, durationMs.map(String.init), isrc, isExplicit.map { $0 ? "1" : "0" },
            pictureLines, preview, spotifyID, apple?.id, apple?.country,
        ]
        // Each part has its length before it, so that no two songs have the same text.
        let text = parts.map { $0.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined()
        return Array(SHA256.hash(data: Array(text.utf8)).prefix(16))
    }
}
