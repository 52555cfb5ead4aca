import Model
import Upstream

/// A song, album, artist or playlist as the catalog shows it to everybody. All attributes, and `attributes` itself, may
/// be missing; without `include`, the resources of relationships have only their ids.
struct CatalogResource: Decodable {
    let id: String
    private let type: String?
    private let attributes: Song?
    private let publicAttributes: PublicAttributes?
    private let relationships: Relationships?

    private enum CodingKeys: String, CodingKey {
        case id, type, attributes, relationships
    }

    /// Attributes that resources of a library do not have.
    private struct PublicAttributes: Decodable {
        var curatorName: String?
        /// The page on Apple's site.
        var url: String?
        var isSingle: Bool?
        var isCompilation: Bool?

        private enum CodingKeys: String, CodingKey {
            case curatorName, url, isSingle, isCompilation
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            curatorName = container.text(.curatorName)
            // Pages use it as a link.
            url = container.text(.url).flatMap { $0.hasPrefix("https://") ? $0 : nil }
            isSingle = container.flag(.isSingle)
            isCompilation = container.flag(.isCompilation)
        }
    }

    private struct Relationships: Decodable {
        var albums: ResourceList<CatalogResource>?
        var artists: ResourceList<CatalogResource>?
        var tracks: ResourceList<CatalogResource>?

        private enum CodingKeys: String, CodingKey {
            case albums, artists, tracks
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            albums = container.lenient(.albums)
            artists = container.lenient(.artists)
            tracks = container.lenient(.tracks)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        type = container.text(.type)
        attributes = container.lenient(.attributes)
        publicAttributes = container.lenient(.attributes)
        relationships = container.lenient(.relationships)
    }

    /// The relationships with their first pages; `nil` if the answer has none.
    var albums: ResourceList<CatalogResource>? { relationships?.albums }
    var tracks: ResourceList<CatalogResource>? { relationships?.tracks }

    // MARK: Items

    /// `nil` for another kind of resource, such as a music video, and for one without a title.
    var track: CatalogTrack? {
        guard let (attributes, title) = named("songs") else { return nil }
        var track = CatalogTrack(sourceID: id, title: title)
        track.artists = artists
        track.album = attributes.albumName.map { name in
            CatalogReference(sourceID: albums?.resources.lazy.compactMap { $0.value?.id }.first, name: name)
        }
        track.durationMs = attributes.durationMs
        track.isrc = attributes.isrc
        track.isExplicit = attributes.isExplicit
        track.discNumber = attributes.discNumber
        track.trackNumber = attributes.trackNumber
        track.releaseDate = attributes.releaseDate
        track.pictures = pictures
        track.url = publicAttributes?.url
        return track
    }

    /// Like ``track``.
    var album: CatalogAlbum? {
        guard let (attributes, name) = named("albums") else { return nil }
        var album = CatalogAlbum(sourceID: id, name: name)
        album.kind = albumKind
        album.artists = artists
        album.releaseDate = attributes.releaseDate
        album.trackCount = attributes.trackCount
        album.genres = attributes.genres
        album.pictures = pictures
        album.url = publicAttributes?.url
        return album
    }

    /// Like ``track``.
    var artist: CatalogArtist? {
        guard let (attributes, name) = named("artists") else { return nil }
        var artist = CatalogArtist(sourceID: id, name: name)
        artist.genres = attributes.genres
        artist.pictures = pictures
        artist.url = publicAttributes?.url
        return artist
    }

    /// Like ``track``.
    var playlist: CatalogPlaylist? {
        guard let (attributes, name) = named("playlists") else { return nil }
        var playlist = CatalogPlaylist(sourceID: id, name: name)
        playlist.description = attributes.description
        playlist.ownerName = publicAttributes?.curatorName
        playlist.pictures = pictures
        playlist.url = publicAttributes?.url
        return playlist
    }

    /// Apple marks singles, but neither EPs nor albums.
    private var albumKind: CatalogAlbum.Kind? {
        if publicAttributes?.isSingle == true { return .single }
        if publicAttributes?.isCompilation == true { return .compilation }
        return publicAttributes?.isSingle == false ? .album : nil
    }

    private func named(_ kind: String) -> (attributes: Song, name: String)? {
        guard type == kind, !id.isEmpty, let attributes, let name = attributes.name else { return nil }
        return (attributes, name)
    }

    /// A single address, with the placeholders `{w}` and `{h}` for any size.
    private var pictures: [CatalogPicture] {
        attributes?.artworkURL.map { [CatalogPicture(address: $0, width: nil)] } ?? []
    }

    /// The artists of the relationship, or else the joint name of all artists from the attributes, without an id.
    private var artists: [CatalogReference] {
        let related = (relationships?.artists?.resources ?? []).compactMap(\.value)
        let named = related.compactMap { artist in
            artist.attributes?.name.map { CatalogReference(sourceID: artist.id, name: $0) }
        }
        if !named.isEmpty, named.count == related.count { return named }
        guard let name = attributes?.artistName else { return [] }
        // If there is only one artist, the id belongs to the name.
        return [CatalogReference(sourceID: related.count == 1 ? related[0].id : nil, name: name)]
    }
}
