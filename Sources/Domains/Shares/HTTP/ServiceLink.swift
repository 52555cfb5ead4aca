import Foundation
import Gateway
import Model
import Platform
import Shares

/// A song at a service, or a search for it there.
struct ServiceLink: Sendable, Equatable {
    let source: MusicSource
    /// `nil` for a search.
    let id: String?
    let url: String

    /// A song in the catalog of Spotify.
    init(spotifyID: String) {
        (source, id) = (.spotify, spotifyID)
        url = "https://open.spotify.com/track/\(spotifyID)"
    }

    /// A song in Apple Music's catalog of a country.
    init(_ apple: ShareSong.AppleID) {
        (source, id) = (.appleMusic, apple.id)
        url = "https://music.apple.com/\(apple.country)/song/\(apple.id)"
    }

    /// A search at a service.
    ///
    /// - Parameter country: that of Apple Music's catalog; `nil` if it is not known.
    init(searchFor song: ShareSong, at source: MusicSource, country: String?) {
        (self.source, id) = (source, nil)
        let text = "\(song.artists.first ?? "") \(song.title)".percentEncoded
        let known = country.flatMap(ShareSong.AppleID.country)
        url =
            source == .spotify
            ? "https://open.spotify.com/search/\(text)"
            : "https://music.apple.com/\(known ?? "us")/search?term=\(text)"
    }

    /// Where the services themselves say that they have the song.
    static func links(to song: ShareSong) -> [ServiceLink] {
        [song.spotifyID.map { ServiceLink(spotifyID: $0) }, song.apple.map { ServiceLink($0) }].compactMap(\.self)
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("source", source.rawValue)
        json.member("sourceId", id)
        json.member("url", url)
    }
}
