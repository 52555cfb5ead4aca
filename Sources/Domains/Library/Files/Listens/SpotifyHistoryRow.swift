import Foundation
import Model

/// A row of Spotify's extended streaming history, with the fields' current and former names. What it says about
/// addresses, devices, accounts and places is not read.
struct SpotifyHistoryRow {
    private let ts: String?
    private let playedMs: Int?
    private let title: String?
    private let artist: String?
    private let album: String?
    private let uri: String?
    private let isPrivate: Bool?
    /// Whether the song was played to the end.
    private let isWhole: Bool

    /// - Returns: `nil` for a row with a value of the wrong type.
    init?(_ value: JSONValue) {
        guard var row = JSONMembers(value) else { return nil }
        ts = row.text("ts")
        playedMs = row.number("ms_played", in: 0...FileValues.milliseconds.upperBound)
        title = row.text("master_metadata_track_name")
        artist = row.text("master_metadata_album_artist_name")
        album = row.text("master_metadata_album_album_name")
        uri = row.text("spotify_track_uri")
        isPrivate = row.flag("incognito_mode")
        isWhole = value["reason_end"]?.plainText == "trackdone"
        if row.isDamaged { return nil }
    }

    /// The song's Spotify id and how long it was played; `nil` unless it was played to the end.
    var wholePlay: (song: String, milliseconds: Int)? {
        guard isWhole, let playedMs, playedMs > 0, let song = uri.flatMap(SongKey.spotifyID) else { return nil }
        return (song, playedMs)
    }

    /// - Parameter lengths: the lengths of songs, where the history reveals them.
    func item(line: Int, lengths: SpotifyLengths) -> LibraryFileItem {
        guard let playedMs else { return .skipped(line: line, reason: ListenRules.noPlayedTime) }
        guard title != nil || uri != nil else { return .skipped(line: line, reason: ListenRules.noMusic) }
        guard let time = ts.flatMap({ FileValues.moment(rfc3339: $0) }) else {
            return .skipped(line: line, reason: ListenRules.noTime)
        }
        guard var listen = FileListen(title: title, artist: artist, album: album, time: time) else {
            return .skipped(line: line, reason: ListenRules.noNames)
        }
        guard !listen.isUnknownSong else { return .skipped(line: line, reason: ListenRules.unknownSong) }
        // Spotify does not say how long a song is, but does say whether it was played to the end.
        let length = uri.flatMap(SongKey.spotifyID).flatMap(lengths.milliseconds)
        if let reason = ListenRules.refusal(playedMs: playedMs, durationMs: length ?? (isWhole ? playedMs : nil)) {
            return .skipped(line: line, reason: reason)
        }
        listen.playedMs = playedMs
        listen.isEnd = true
        listen.isPrivate = isPrivate == true
        listen.spotifyID = uri.flatMap { $0.hasPrefix("spotify:track:") ? String($0.dropFirst(14)) : nil }
        return .listen(listen, line: line)
    }
}

/// A row of the streaming history in Spotify's account data, with times to the minute and without ids.
struct SpotifyAccountRow {
    private let endTime: String?
    private let artistName: String?
    private let trackName: String?
    private let msPlayed: Int?

    /// - Returns: `nil` for a row with a value of the wrong type.
    init?(_ value: JSONValue) {
        guard var row = JSONMembers(value) else { return nil }
        endTime = row.text("endTime")
        artistName = row.text("artistName")
        trackName = row.text("trackName")
        msPlayed = row.number("msPlayed", in: 0...FileValues.milliseconds.upperBound)
        if row.isDamaged { return nil }
    }

    func item(line: Int) -> LibraryFileItem {
        guard let msPlayed, let time = endTime.flatMap(TimestampText.init)?.moment else {
            return .skipped(line: line, reason: ListenRules.noTime)
        }
        guard var listen = FileListen(title: trackName, artist: artistName, time: time) else {
            return .skipped(line: line, reason: trackName == nil ? ListenRules.noMusic : ListenRules.noNames)
        }
        guard !listen.isUnknownSong else { return .skipped(line: line, reason: ListenRules.unknownSong) }
        if let reason = ListenRules.refusal(playedMs: msPlayed, durationMs: nil) {
            return .skipped(line: line, reason: reason)
        }
        listen.playedMs = msPlayed
        listen.isEnd = true
        listen.precision = .minute
        return .listen(listen, line: line)
    }
}

extension FileListen {
    /// Whether the listen has the names that Spotify gives to songs it has removed.
    fileprivate var isUnknownSong: Bool { title == "Unknown Track" || artist == "Unknown Artist" }
}
