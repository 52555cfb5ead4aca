import Foundation
import Model

/// A service's answer to one question, stored as JSON.
package enum CatalogAnswer: Codable, Sendable {
    case tracks(SourcePage<CatalogTrack>)
    case albums(SourcePage<CatalogAlbum>)
    case artists(SourcePage<CatalogArtist>)
    case playlists(SourcePage<CatalogPlaylist>)
    case item(CatalogItem)
    /// The service does not have the item.
    case missing

    init(storage text: String) throws {
        self = try JSONDecoder().decode(CatalogAnswer.self, from: Data(text.utf8))
    }

    /// The text to store.
    var storage: String {
        get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
    }
}

/// One item with the first page of its contents, or only a further page.
package struct CatalogItem: Codable, Sendable {
    package enum Subject: Codable, Sendable {
        case track(CatalogTrack)
        case album(CatalogAlbum)
        case artist(CatalogArtist)
        case playlist(CatalogPlaylist)
    }

    /// `nil` for a further page.
    package var subject: Subject?
    /// A page of the tracks of an album or playlist; `nil` if the service does not provide them.
    package var tracks: SourcePage<CatalogTrack>?
    /// A page of an artist's albums; `nil` if the service does not provide them.
    package var albums: SourcePage<CatalogAlbum>?

    package init(
        _ subject: Subject?, tracks: SourcePage<CatalogTrack>? = nil, albums: SourcePage<CatalogAlbum>? = nil
    ) {
        self.subject = subject
        self.tracks = tracks
        self.albums = albums
    }
}
