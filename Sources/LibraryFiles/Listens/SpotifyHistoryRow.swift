import Foundation
import Model

/// A row of Spotify's extended streaming history, by its present and its former names. What it says of addresses,
/// devices, accounts and places is not read.
struct SpotifyHistoryRow: Decodable {
    var ts: String?
    var playedMs: Int?
    var title: String?
    var artist: String?
    var album: String?
    var uri: String?
    var isPrivate: Bool?

    enum CodingKeys: String, CodingKey {
        case ts
        case playedMs = "ms_played"
        case title = "master_metadata_track_name"
        case artist = "master_metadata_album_artist_name"
        case album = "master_metadata_album_album_name"
        case uri = "spotify_track_uri"
        case isPrivate = "incognito_mode"
    }

    func item(line: Int) -> LibraryFileItem {
        guard let playedMs, playedMs <= FileValues.milliseconds.upperBound else {
            return .skipped(line: line, reason: ListenRules.noTime)
        }
        guard title != nil || uri != nil else { return .skipped(line: line, reason: ListenRules.noMusic) }
        guard let time = ts.flatMap({ Timestamp(rfc3339: $0) }) else {
            return .skipped(line: line, reason: ListenRules.noTime)
        }
        guard var listen = FileListen(title: title, artist: artist, album: album, time: time) else {
            return .skipped(line: line, reason: ListenRules.noNames)
        }
        guard !listen.isUnknownSong else { return .skipped(line: line, reason: ListenRules.unknownSong) }
        if let reason = ListenRules.refusal(playedMs: playedMs, durationMs: nil) {
            return .skipped(line: line, reason: reason)
        }
        listen.playedMs = playedMs
        listen.isEnd = true
        listen.isPrivate = isPrivate == true
        listen.spotifyID = uri.flatMap { $0.hasPrefix("spotify:track:") ? String($0.dropFirst(14)) : nil }
        return .listen(listen, line: line)
    }
}

/// A row of the streaming history of Spotify's account data: minutes, without ids.
struct SpotifyAccountRow: Decodable {
    var endTime: String?
    var artistName: String?
    var trackName: String?
    var msPlayed: Int?

    func item(line: Int) -> LibraryFileItem {
        guard let msPlayed, msPlayed <= FileValues.milliseconds.upperBound,
            let time = endTime.flatMap(Timestamp.init(minute:))
        else {
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
    /// Spotify's names of songs that it has removed.
    fileprivate var isUnknownSong: Bool { title == "Unknown Track" || artist == "Unknown Artist" }
}

extension Timestamp {
    /// UTC, as Spotify writes it: `2021-10-13 23:02`.
    init?(minute text: String) {
        guard text.utf8.count == 16, text.dropFirst(10).first == " " else { return nil }
        self.init(rfc3339: text.prefix(10) + "T" + text.suffix(5) + ":00Z")
    }
}
