import Foundation
import Model

/// A play of a song, as a file reports it.
package struct FileListen: Sendable, Equatable {
    /// The precision of the time. The raw values appear in exports.
    package enum Precision: String, Sendable, Equatable {
        case millisecond, second, minute
    }

    /// Not empty, without white space at its ends.
    package var title: String
    /// Not empty, without white space at its ends.
    package var artist: String
    package var album: String?
    /// The length of the whole recording.
    package var durationMs: Int?
    /// How long it was played; `nil` where the file does not say.
    package var playedMs: Int?
    package var isrc: String?
    /// A UUID in lower case, once the listen is cleaned.
    package var recordingMBID: String?
    package var spotifyID: String?
    package var time: Timestamp
    /// Whether the time is the end of the play, and not its start.
    package var isEnd = false
    package var precision = Precision.second
    /// Whether it was played in a private session.
    package var isPrivate = false
    /// Whether the row comes from an export of Backline.
    package var isExported = false
    /// The program that reported the listen.
    package var client: String?
    /// Further details, as JSON.
    package var details: String?

    /// - Returns: `nil` without a title or an artist.
    package init?(title: String?, artist: String?, album: String? = nil, time: Timestamp) {
        guard let title = title?.trimmed, let artist = artist?.trimmed else { return nil }
        (self.title, self.artist, self.album, self.time) = (title, artist, album?.trimmed, time)
    }
}

extension String {
    /// The text without white space at its ends; `nil` if nothing is left.
    var trimmed: String? {
        let text = trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }
}
