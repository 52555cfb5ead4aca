import Foundation
import Model
import Upstream

// Apple's resources, with the members that a library needs. All attributes, and `attributes` itself, may be missing.

/// A list of resources.
struct ResourceList<Element: Decodable>: Decodable {
    /// `data`. Required: an answer without it says nothing about the list.
    var resources: [Lenient<Element>]
    var next: String?
    var total: Int?

    private enum CodingKeys: String, CodingKey {
        case data, next, meta
    }

    private struct Meta: Decodable {
        var total: Int?

        private enum CodingKeys: String, CodingKey { case total }

        init(from decoder: any Decoder) throws {
            total = try decoder.container(keyedBy: CodingKeys.self).number(.total)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        resources = try container.decode([Lenient<Element>].self, forKey: .data)
        next = container.text(.next)
        total = container.lenient(.meta, as: Meta.self)?.total
    }

    /// Where the next page begins; `nil` for the last page.
    ///
    /// - Parameters:
    ///   - path: the path of the list, relative to `/v1`.
    ///   - offset: the offset of this page.
    func nextOffset(of path: String, from offset: Int) -> Int? {
        next.flatMap { next in
            let address = URLComponents(string: next)
            // Apple's documentation shows a `next` that names another list. The list continues, but not there.
            let isSameList = address?.percentEncodedPath.hasSuffix(path) == true
            let named = address?.queryItems?.first { $0.name == "offset" }?.value
            return PageOffset.following(offset, count: resources.count, named: isSameList ? named : nil)
        }
    }
}

struct Resource: Decodable {
    var id: String
    private var type: String?
    /// The attributes of a song, a playlist or an album.
    var attributes: Song?
    /// The song in the catalog that belongs to a song of the library.
    private var catalogSong: CatalogSong?

    private enum CodingKeys: String, CodingKey {
        case id, type, attributes, relationships
    }

    private struct Relationships: Decodable {
        /// Only songs are read: the relationship of a playlist or album has no ISRC.
        var catalog: Catalog?
    }

    private struct Catalog: Decodable {
        var song: CatalogSong?

        private enum CodingKeys: CodingKey {
            case data
        }

        init(from decoder: any Decoder) throws {
            song = try decoder.container(keyedBy: CodingKeys.self).elements(.data, of: CatalogSong.self).first
        }
    }

    private struct CatalogSong: Decodable {
        var id: String
        /// Missing without `include=catalog`.
        var attributes: Song?
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        type = container.text(.type)
        attributes = container.lenient(.attributes)
        catalogSong = container.lenient(.relationships, as: Relationships.self)?.catalog?.song
    }

    /// A song; `nil` for a resource without a title.
    ///
    /// - Parameter storefront: the catalog that the catalog ids belong to.
    func sourceTrack(storefront: String) -> SourceTrack? {
        guard !id.isEmpty, let attributes, let title = attributes.name else { return nil }
        var track = SourceTrack(
            sourceID: id, title: title, artist: attributes.artistName ?? "", album: attributes.albumName ?? "")
        track.durationMs = attributes.durationMs
        track.isExplicit = attributes.isExplicit
        track.discNumber = attributes.discNumber
        track.trackNumber = attributes.trackNumber
        track.artworkURL = attributes.artworkURL
        track.addedAt = attributes.dateAdded
        track.add(attributes)
        // An entry of a playlist that is not in the library is itself a song of the catalog.
        track.catalogID = type == "songs" ? id : catalogSong?.id ?? attributes.catalogID
        track.storefront = track.catalogID.map { _ in storefront }
        if let song = catalogSong?.attributes { track.add(song) }
        return track
    }

    /// An entry of a playlist, which may be a music video.
    func content(storefront: String) -> SourcePlaylistEntry.Content {
        guard type == "library-songs" || type == "songs", let track = sourceTrack(storefront: storefront) else {
            return .unavailable(title: attributes?.name)
        }
        return .track(track)
    }

    var sourcePlaylist: SourcePlaylist? {
        guard !id.isEmpty, let attributes else { return nil }
        var playlist = SourcePlaylist(sourceID: id, name: attributes.name ?? "")
        playlist.description = attributes.description
        playlist.isPublic = attributes.isPublic
        playlist.canEdit = attributes.canEdit
        playlist.artworkURL = attributes.artworkURL
        playlist.version = attributes.lastModifiedDate
        playlist.addedAt = attributes.dateAdded
        return playlist
    }

    var sourceAlbum: SourceAlbum? {
        guard !id.isEmpty, let attributes, let name = attributes.name else { return nil }
        var album = SourceAlbum(sourceID: id, name: name, artist: attributes.artistName ?? "")
        album.artworkURL = attributes.artworkURL
        album.releaseDate = attributes.releaseDate
        album.trackCount = attributes.trackCount
        album.genres = attributes.genres
        album.addedAt = attributes.dateAdded
        return album
    }
}

/// The attributes of a song, a playlist or an album, which share some of them.
struct Song: Decodable {
    var name: String?
    var artistName: String?
    var albumName: String?
    var composerName: String?
    var genres: [String]
    var durationMs: Int?
    var discNumber: Int?
    var trackNumber: Int?
    var trackCount: Int?
    var releaseDate: ReleaseDate?
    var isrc: String?
    /// `nil` if Apple reports no rating.
    var isExplicit: Bool?
    /// May contain the placeholders `{w}` and `{h}`.
    var artworkURL: String?
    /// `playParams.catalogId`; missing for uploads.
    var catalogID: String?
    var description: String?
    var isPublic: Bool?
    var canEdit: Bool?
    var dateAdded: Timestamp?
    /// Opaque; only compared.
    var lastModifiedDate: String?

    private enum CodingKeys: String, CodingKey {
        case name, artistName, albumName, composerName, genreNames, durationInMillis, discNumber, trackNumber
        case trackCount, releaseDate, isrc, contentRating, artwork, playParams, description, isPublic, dateAdded
        case lastModifiedDate, canEdit
    }

    private struct Artwork: Decodable {
        var url: String?
    }

    private struct PlayParameters: Decodable {
        var catalogId: String?
    }

    private struct Description: Decodable {
        var standard: String?
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = container.text(.name)
        artistName = container.text(.artistName)
        albumName = container.text(.albumName)
        composerName = container.text(.composerName)
        genres = container.elements(.genreNames)
        durationMs = container.number(.durationInMillis)
        discNumber = container.number(.discNumber)
        trackNumber = container.number(.trackNumber)
        trackCount = container.number(.trackCount)
        releaseDate = container.text(.releaseDate).flatMap { ReleaseDate($0) }
        isrc = container.text(.isrc).flatMap { ISRC.normalized($0) }
        isExplicit = container.text(.contentRating).flatMap { ["explicit": true, "clean": false][$0] }
        artworkURL = container.lenient(.artwork, as: Artwork.self)?.url.flatMap { $0.isEmpty ? nil : $0 }
        catalogID = container.lenient(.playParams, as: PlayParameters.self)?.catalogId.flatMap { $0.isEmpty ? nil : $0 }
        description = container.lenient(.description, as: Description.self)?.standard.flatMap { $0.isEmpty ? nil : $0 }
        isPublic = container.flag(.isPublic)
        canEdit = container.flag(.canEdit)
        dateAdded = container.text(.dateAdded).flatMap { Timestamp(rfc3339: $0) }
        lastModifiedDate = container.text(.lastModifiedDate)
    }
}

extension SourceTrack {
    /// Adds the values that another answer about the same song has and this track lacks.
    mutating func add(_ song: Song) {
        isrc = isrc ?? song.isrc
        composer = composer ?? song.composerName
        releaseDate = releaseDate ?? song.releaseDate
        durationMs = durationMs ?? song.durationMs
        isExplicit = isExplicit ?? song.isExplicit
        discNumber = discNumber ?? song.discNumber
        trackNumber = trackNumber ?? song.trackNumber
        artworkURL = artworkURL ?? song.artworkURL
        if genres.isEmpty { genres = song.genres }
    }
}
