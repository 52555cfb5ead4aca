import Model
import Upstream

// Spotify's objects, with the members that a library needs. Every member may be missing: apps in development mode do
// not get some of them, and old recordings lack others.

struct SavedTrack: Decodable, Sendable {
    private var track: TrackObject
    private var addedAt: Timestamp?

    private enum CodingKeys: String, CodingKey {
        case item, track
        case addedAt = "added_at"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        track = try container.lenient(.item) ?? container.decode(TrackObject.self, forKey: .track)
        addedAt = container.text(.addedAt).flatMap { Timestamp(spotify: $0) }
    }

    /// `nil` for a local file or an episode, which cannot be saved among tracks, and for a track without an id.
    var sourceTrack: SourceTrack? {
        guard case .track(var track) = track.content else { return nil }
        track.addedAt = addedAt
        return track
    }
}

struct SavedAlbum: Decodable, Sendable {
    private var album: AlbumObject
    private var addedAt: Timestamp?

    private enum CodingKeys: String, CodingKey {
        case album
        case addedAt = "added_at"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        album = try container.decode(AlbumObject.self, forKey: .album)
        addedAt = container.text(.addedAt).flatMap { Timestamp(spotify: $0) }
    }

    var sourceAlbum: SourceAlbum? {
        guard let id = album.id else { return nil }
        var result = SourceAlbum(sourceID: id, name: album.name ?? "", artist: album.artist ?? "")
        result.artworkURL = album.artworkURL
        result.releaseDate = album.releaseDate
        result.trackCount = album.trackCount
        result.genres = album.genres
        result.addedAt = addedAt
        return result
    }
}

struct PlaylistEntry: Decodable, Sendable {
    private var track: TrackObject?
    private var isLocal: Bool
    /// `nil` in very old playlists.
    var addedAt: Timestamp?

    private enum CodingKeys: String, CodingKey {
        case item, track
        case isLocal = "is_local"
        case addedAt = "added_at"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // Development mode has `item`, extended quota `track`, and some answers both.
        track = container.lenient(.item) ?? container.lenient(.track)
        isLocal = container.flag(.isLocal) ?? false
        addedAt = container.text(.addedAt).flatMap { Timestamp(spotify: $0) }
    }

    var content: SourcePlaylistEntry.Content {
        guard let track else { return .unavailable(title: nil) }
        return isLocal ? .local(title: track.name ?? "") : track.content
    }
}

/// A track, a local file or an episode.
struct TrackObject: Decodable, Sendable {
    private var id: String?
    var name: String?
    private var uri: String?
    private var isLocal: Bool
    private var isEpisode: Bool
    /// Whether it claims to be neither a track nor an episode, such as a chapter of an audiobook.
    private var isUnknown: Bool
    private var album: AlbumObject?
    private var artists: [NamedObject]
    private var durationMs: Int?
    private var isExplicit: Bool?
    private var discNumber: Int?
    private var trackNumber: Int?
    private var isrc: String?
    private var popularity: Int?
    private var previewURL: String?

    private enum CodingKeys: String, CodingKey {
        case id, name, uri, type, episode, album, artists, explicit, popularity
        case isLocal = "is_local"
        case durationMs = "duration_ms"
        case discNumber = "disc_number"
        case trackNumber = "track_number"
        case externalIDs = "external_ids"
        case previewURL = "preview_url"
    }

    private struct ExternalIDs: Decodable {
        var isrc: String?
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = container.text(.id)
        name = container.text(.name)
        let uri = container.text(.uri)
        self.uri = uri
        isLocal = container.flag(.isLocal) ?? false
        let type = container.text(.type)
        // An episode is either an object with `show`, or one that looks like a track but says otherwise.
        isEpisode =
            type == "episode" || container.flag(.episode) == true || uri?.hasPrefix("spotify:episode:") == true
        isUnknown = type.map { $0 != "track" && $0 != "episode" } ?? false
        album = container.lenient(.album)
        artists = container.elements(.artists)
        durationMs = container.number(.durationMs)
        isExplicit = container.flag(.explicit)
        discNumber = container.number(.discNumber)
        trackNumber = container.number(.trackNumber)
        isrc = container.lenient(.externalIDs, as: ExternalIDs.self)?.isrc.flatMap { ISRC.normalized($0) }
        popularity = container.number(.popularity)
        previewURL = container.text(.previewURL)
    }

    var content: SourcePlaylistEntry.Content {
        if isLocal || uri?.hasPrefix("spotify:local:") == true { return .local(title: name ?? "") }
        if isEpisode { return .episode(title: name ?? "") }
        guard let id, !isUnknown else { return .unavailable(title: name) }
        var track = SourceTrack(
            sourceID: id, title: name ?? "", artist: artists.joinedNames ?? "", album: album?.name ?? "")
        track.albumArtist = album?.artist
        track.durationMs = durationMs
        track.isrc = isrc
        track.isExplicit = isExplicit
        track.discNumber = discNumber
        track.trackNumber = trackNumber
        track.releaseDate = album?.releaseDate
        track.artworkURL = album?.artworkURL
        track.genres = album?.genres ?? []
        track.popularity = popularity
        track.previewURL = previewURL
        return .track(track)
    }
}

struct AlbumObject: Decodable, Sendable {
    var id: String?
    var name: String?
    /// The names of the album's artists.
    var artist: String?
    var artworkURL: String?
    var releaseDate: ReleaseDate?
    var trackCount: Int?
    var genres: [String]

    private enum CodingKeys: String, CodingKey {
        case id, name, artists, images, genres
        case releaseDate = "release_date"
        case precision = "release_date_precision"
        case trackCount = "total_tracks"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = container.text(.id)
        name = container.text(.name)
        artist = container.elements(.artists, of: NamedObject.self).joinedNames
        artworkURL = container.elements(.images, of: ImageObject.self).widest
        trackCount = container.number(.trackCount)
        genres = container.elements(.genres)
        releaseDate = ReleaseDate(spotify: container.text(.releaseDate), precision: container.text(.precision))
    }
}

struct PlaylistObject: Decodable, Sendable {
    private var id: String?
    private var name: String?
    private var description: String?
    private var owner: PlaylistOwnerObject?
    private var isPublic: Bool?
    private var isCollaborative: Bool?
    private var artworkURL: String?
    private var version: String?
    private var entryCount: Int?

    private enum CodingKeys: String, CodingKey {
        case id, name, description, owner, collaborative, images, items, tracks
        case isPublic = "public"
        case version = "snapshot_id"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = container.text(.id)
        name = container.text(.name)
        description = container.text(.description)
        owner = container.lenient(.owner)
        isPublic = container.flag(.isPublic)
        isCollaborative = container.flag(.collaborative)
        artworkURL = container.elements(.images, of: ImageObject.self).widest
        version = container.text(.version)
        let entries = container.lenient(.items, as: PlaylistEntriesObject.self)
        entryCount = entries?.total ?? container.lenient(.tracks, as: PlaylistEntriesObject.self)?.total
    }

    var sourcePlaylist: SourcePlaylist? {
        guard let id else { return nil }
        var playlist = SourcePlaylist(sourceID: id, name: name ?? "")
        playlist.description = description.map { HTMLEntities.unescaped($0) }
        playlist.ownerID = owner?.id
        playlist.ownerName = owner?.shownName
        playlist.isPublic = isPublic
        playlist.isCollaborative = isCollaborative
        playlist.artworkURL = artworkURL
        playlist.entryCount = entryCount
        playlist.version = version
        return playlist
    }
}

struct PlaylistOwnerObject: Decodable, Sendable {
    var id: String?
    private var name: String?

    private enum CodingKeys: String, CodingKey {
        case id
        case name = "display_name"
    }

    var shownName: String? { name ?? id }
}

/// What a playlist contains about its entries: as `items` in development mode, as `tracks` with extended quota.
struct PlaylistEntriesObject: Decodable, Sendable {
    var total: Int?

    private enum CodingKeys: String, CodingKey { case total }

    init(from decoder: any Decoder) throws {
        total = try decoder.container(keyedBy: CodingKeys.self).number(.total)
    }
}

/// An artist of a track or album.
struct NamedObject: Decodable, Sendable {
    var name: String?
}

extension [NamedObject] {
    /// The names, separated by commas; `nil` for none.
    fileprivate var joinedNames: String? {
        let names = compactMap(\.name).filter { !$0.isEmpty }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}

struct ImageObject: Decodable, Sendable {
    var url: String
    var width: Int?
}

extension [ImageObject] {
    /// The address of the widest picture. The widest usually comes first, but that is not guaranteed, and some have no
    /// width.
    fileprivate var widest: String? {
        var best = first
        for image in dropFirst() where image.width ?? 0 > best?.width ?? 0 { best = image }
        return best?.url
    }
}

extension ReleaseDate {
    /// An album's `release_date`, truncated to the precision that `release_date_precision` states.
    init?(spotify text: String?, precision: String?) {
        guard let text else { return nil }
        self.init(String(text.prefix(precision.flatMap { ["year": 4, "month": 7][$0] } ?? 10)))
    }
}
