import Model
import Platform
import Upstream

// Spotify's objects as its catalog shows them to everybody. Every member but the id may be missing: apps in development
// mode get no followers and no popularity, and mostly empty genres.

struct CatalogArtistObject: Decodable, Sendable {
    let artist: CatalogArtist?

    private enum CodingKeys: String, CodingKey {
        case id, name, genres, images
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        artist = container.text(.id).map { id in
            var artist = CatalogArtist(sourceID: id, name: container.text(.name) ?? "")
            artist.genres = container.elements(.genres)
            artist.pictures = container.elements(.images, of: ImageObject.self).pictures
            artist.url = openURL("artist", id)
            return artist
        }
    }
}

struct CatalogTrackObject: Decodable, Sendable {
    /// `nil` for an episode, a local file, and a track without an id.
    let track: CatalogTrack?

    private enum CodingKeys: String, CodingKey {
        case id, name, type, artists, album, explicit
        case isLocal = "is_local"
        case durationMs = "duration_ms"
        case discNumber = "disc_number"
        case trackNumber = "track_number"
        case externalIDs = "external_ids"
    }

    private struct ExternalIDs: Decodable {
        var isrc: String?
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isTrack = container.flag(.isLocal) != true && container.text(.type) ?? "track" == "track"
        guard isTrack, let id = container.text(.id) else {
            track = nil
            return
        }
        var result = CatalogTrack(sourceID: id, title: container.text(.name) ?? "")
        let album = container.lenient(.album, as: CatalogAlbumObject.self)
        result.artists = container.elements(.artists, of: ReferenceObject.self).references
        result.album = album?.reference
        result.durationMs = container.number(.durationMs)
        result.isrc = container.lenient(.externalIDs, as: ExternalIDs.self)?.isrc.flatMap { ISRC.normalized($0) }
        result.isExplicit = container.flag(.explicit)
        result.discNumber = container.number(.discNumber)
        result.trackNumber = container.number(.trackNumber)
        result.releaseDate = album?.releaseDate
        result.pictures = album?.pictures ?? []
        result.url = openURL("track", id)
        track = result
    }
}

struct CatalogAlbumObject: Decodable, Sendable {
    /// `nil` for an album without an id, such as that of a local file.
    let album: CatalogAlbum?
    /// `nil` for an album without a name.
    let reference: CatalogReference?
    let releaseDate: ReleaseDate?
    let pictures: [CatalogPicture]
    /// The first page of the tracks, which albums have when they are read individually.
    let tracks: Page<CatalogTrackObject>?

    private enum CodingKeys: String, CodingKey {
        case id, name, artists, images, genres, tracks
        case albumType = "album_type"
        case releaseDate = "release_date"
        case precision = "release_date_precision"
        case trackCount = "total_tracks"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let (id, name) = (container.text(.id), container.text(.name))
        reference = name.map { CatalogReference(sourceID: id, name: $0) }
        releaseDate = ReleaseDate(
            spotify: container.text(.releaseDate), precision: container.text(.precision))
        pictures = container.elements(.images, of: ImageObject.self).pictures
        tracks = container.lenient(.tracks)
        var result = id.map { CatalogAlbum(sourceID: $0, name: name ?? "") }
        // Older recordings of the API have it in upper case.
        result?.kind = container.text(.albumType).flatMap { CatalogAlbum.Kind(rawValue: $0.lowercased()) }
        result?.artists = container.elements(.artists, of: ReferenceObject.self).references
        result?.releaseDate = releaseDate
        result?.trackCount = container.number(.trackCount)
        result?.genres = container.elements(.genres)
        result?.pictures = pictures
        result?.url = id.map { openURL("album", $0) }
        album = result
    }
}

struct CatalogPlaylistObject: Decodable, Sendable {
    let playlist: CatalogPlaylist?

    private enum CodingKeys: String, CodingKey {
        case id, name, description, owner, images, items, tracks
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        playlist = container.text(.id).map { id in
            var playlist = CatalogPlaylist(sourceID: id, name: container.text(.name) ?? "")
            playlist.description = container.text(.description).map { HTMLEntities.unescaped($0) }
            playlist.ownerName = container.lenient(.owner, as: PlaylistOwnerObject.self)?.shownName
            playlist.trackCount =
                container.lenient(.items, as: PlaylistEntriesObject.self)?.total
                ?? container.lenient(.tracks, as: PlaylistEntriesObject.self)?.total
            playlist.pictures = container.elements(.images, of: ImageObject.self).pictures
            playlist.url = openURL("playlist", id)
            return playlist
        }
    }
}

/// An entry of a playlist.
struct CatalogEntryObject: Decodable, Sendable {
    /// `nil` for an entry that is not a track of the catalog.
    let track: CatalogTrack?

    private enum CodingKeys: String, CodingKey {
        case item, track
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let object: CatalogTrackObject? = container.lenient(.item) ?? container.lenient(.track)
        track = object?.track
    }
}

/// An artist named by a track or an album.
private struct ReferenceObject: Decodable {
    var id: String?
    var name: String?
}

extension [ReferenceObject] {
    fileprivate var references: [CatalogReference] {
        compactMap { object in
            object.name.flatMap { $0.isEmpty ? nil : CatalogReference(sourceID: object.id, name: $0) }
        }
    }
}

extension [ImageObject] {
    fileprivate var pictures: [CatalogPicture] { map { CatalogPicture(address: $0.url, width: $0.width) } }
}

/// The address at which Spotify shows an item to people.
private func openURL(_ type: String, _ id: String) -> String {
    "https://open.spotify.com/\(type)/\(id.percentEncoded)"
}
