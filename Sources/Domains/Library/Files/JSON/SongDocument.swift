import Foundation
import Model

/// A song in Backline's JSON. Every member except the title may be missing.
struct SongDocument: Encodable {
    var uri: String?
    /// Links playlists with a song that has no address. It is valid within this file.
    var id: String?
    var title: String?
    var artist: String?
    var album: String?
    var albumArtist: String?
    var composer: String?
    var genres: [String]?
    var durationMs: Int?
    var isrc: String?
    var explicit: Bool?
    var discNumber: Int?
    var trackNumber: Int?
    var releaseDate: String?
    var addedAt: String?
    var playCount: Int?
    var lastPlayedAt: String?
    var rating: Int?
    var artwork: String?
    /// Whether the song is only in playlists.
    var playlistOnly: Bool?

    init(_ track: SourceTrack, isSaved: Bool) {
        (title, artist, album) = (track.title, track.artist, track.album.isEmpty ? nil : track.album)
        let key = track.sourceID
        if SongKey.normalized(key) == key { uri = key } else { id = key }
        albumArtist = track.albumArtist
        composer = track.composer
        genres = track.genres.isEmpty ? nil : track.genres
        durationMs = track.durationMs
        isrc = track.isrc
        explicit = track.isExplicit
        discNumber = track.discNumber
        trackNumber = track.trackNumber
        releaseDate = track.releaseDate?.text
        addedAt = track.addedAt?.description
        playCount = track.playCount
        lastPlayedAt = track.lastPlayedAt?.description
        rating = track.rating
        artwork = track.artworkURL
        playlistOnly = isSaved ? nil : true
    }

    /// - Returns: `nil` for a value that is not a song, or has a member of the wrong type.
    init?(_ value: JSONValue) {
        guard var song = JSONMembers(value) else { return nil }
        (uri, id) = (song.text("uri"), song.text("id"))
        (title, artist, album) = (song.text("title"), song.text("artist"), song.text("album"))
        // Other programs write `duration_ms`.
        albumArtist = song.text("albumArtist") ?? song.text("album_artist")
        composer = song.text("composer")
        genres = song.texts("genres")
        durationMs = song.number("durationMs", "duration_ms", in: FileValues.milliseconds)
        isrc = song.text("isrc")
        explicit = song.flag("explicit")
        discNumber = song.number("discNumber", "disc_number", in: FileValues.numbers)
        trackNumber = song.number("trackNumber", "track_number", in: FileValues.numbers)
        releaseDate = song.text("releaseDate") ?? song.text("release_date")
        addedAt = song.text("addedAt") ?? song.text("added_at")
        playCount = song.number("playCount", "play_count", in: FileValues.plays)
        lastPlayedAt = song.text("lastPlayedAt") ?? song.text("last_played_at")
        rating = song.number("rating", in: FileValues.ratings)
        artwork = song.text("artwork")
        playlistOnly = song.flag("playlistOnly")
        if song.isDamaged { return nil }
    }

    var track: FileTrack {
        var track = SourceTrack(sourceID: "", title: title ?? "", artist: artist ?? "", album: album ?? "")
        track.albumArtist = albumArtist
        track.composer = composer
        track.genres = genres ?? []
        track.durationMs = durationMs
        track.isrc = isrc.flatMap(ISRC.normalized)
        track.isExplicit = explicit
        track.discNumber = discNumber
        track.trackNumber = trackNumber
        track.releaseDate = releaseDate.flatMap { ReleaseDate($0) }
        track.addedAt = addedAt.flatMap(CSVColumns.moment)
        track.playCount = playCount
        track.lastPlayedAt = lastPlayedAt.flatMap(CSVColumns.moment)
        track.rating = rating
        track.artworkURL = artwork
        track.clean()
        track.sourceID = SongKey.key(of: track, uri: uri)
        return FileTrack(track, isSaved: playlistOnly != true)
    }
}

/// A playlist in Backline's JSON, without its entries.
struct PlaylistDocument: Encodable {
    struct Entry: Encodable {
        /// The song's `uri` or `id`.
        var track: String?
        /// The title of an entry that is not a song of the file.
        var title: String?
        var addedAt: String?
        /// What an entry is that is not a song of the file.
        var kind: String?
    }

    var id: String?
    var name: String?
    var description: String?
}

extension PlaylistDocument.Entry {
    /// - Returns: `nil` for a value that is not an entry, or has a member of the wrong type.
    init?(_ value: JSONValue) {
        guard var entry = JSONMembers(value) else { return nil }
        (track, title, addedAt) = (entry.text("track"), entry.text("title"), entry.text("addedAt"))
        kind = entry.text("kind")
        if entry.isDamaged { return nil }
    }
}
