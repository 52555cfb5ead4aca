import Crypto
import Foundation
import Model
import Platform

/// The key of a song in files that do not give one: its address at a service, or else a hash of the row's values, so
/// that the same row has the same key in every file.
enum SongKey {
    /// - Parameter uri: the song's address at a service; any other text is ignored.
    static func key(of track: SourceTrack, uri: String?) -> String {
        if let uri = uri.flatMap(normalized) { return uri }
        let facts = [
            track.title, track.artist, track.album, track.isrc ?? "", track.durationMs.map { String($0) } ?? "",
            track.trackNumber.map { String($0) } ?? "", track.discNumber.map { String($0) } ?? "",
            track.releaseDate?.text ?? "",
        ]
        let digest = SHA256.hash(data: Data(facts.joined(separator: "\u{1F}").utf8))
        return "hash:" + digest.prefix(16).hexadecimal
    }

    /// The id that a file gives a song, in the form in which it is held in memory: a long id is hashed.
    static func id(_ text: String) -> String {
        guard text.utf8.count > 64 else { return text }
        return "id:" + SHA256.hash(data: Data(text.utf8)).prefix(16).hexadecimal
    }

    /// A key that a file gives where a song's key is expected; `nil` for any other text.
    static func ofFile(_ text: String) -> String? {
        text.hasPrefix("hash:") && text.utf8.count <= 64 ? text : normalized(text)
    }

    /// The Spotify id of a song, from its Spotify address, URI or id.
    static func spotifyID(_ text: String) -> String? {
        guard let key = normalized(text), key.hasPrefix("spotify:track:") else { return nil }
        return String(key.dropFirst("spotify:track:".count))
    }

    /// Normalizes an address or URI of a song to `spotify:track:ID`, `appleMusic:track:ID` or
    /// `musicbrainz:recording:ID`; `nil` for any other text.
    static func normalized(_ text: String) -> String? {
        for beginning in ["spotify:track:", "https://open.spotify.com/track/", "http://open.spotify.com/track/"]
        where text.hasPrefix(beginning) {
            let id = text.dropFirst(beginning.count).prefix { $0 != "?" }
            return id.isPlainID(22...22) ? "spotify:track:\(id)" : nil
        }
        for beginning in [
            "musicbrainz:recording:", "https://musicbrainz.org/recording/", "http://musicbrainz.org/recording/",
        ] where text.hasPrefix(beginning) {
            let id = text.dropFirst(beginning.count).lowercased()
            return UUIDv7.isWellFormed(id) ? "musicbrainz:recording:\(id)" : nil
        }
        if text.hasPrefix("appleMusic:track:") {
            let id = text.dropFirst("appleMusic:track:".count)
            return id.isPlainID(1...20) && id.allSatisfy(\.isNumber) ? text : nil
        }
        if text.hasPrefix("https://music.apple.com/") {
            let parts = text.dropFirst("https://music.apple.com/".count).split(separator: "?", maxSplits: 1)
            let query = parts.count > 1 ? parts[1].split(separator: "&").first { $0.hasPrefix("i=") } : nil
            let song = query.map { String($0.dropFirst(2)) }
            let id = song ?? parts.first?.split(separator: "/").last.map { String($0) } ?? ""
            return id.isPlainID(1...20) && id.allSatisfy(\.isNumber) ? "appleMusic:track:\(id)" : nil
        }
        // Exports of other programs have bare Spotify ids.
        return text.isPlainID(22...22) ? "spotify:track:\(text)" : nil
    }
}

extension FilePlaylist {
    /// The key of a playlist whose file gives it none, or one that is too long for an index. So importing the same file
    /// again finds the same playlist, and a different one with the same title is kept separate.
    static func hashKey(of texts: [String]) -> String {
        var hash = SHA256()
        for text in texts { hash.update(data: Data("\(text)\u{1F}".utf8)) }
        return "list:" + hash.finalize().prefix(16).hexadecimal
    }
}

extension StringProtocol {
    fileprivate func isPlainID(_ length: ClosedRange<Int>) -> Bool {
        length.contains(utf8.count)
            && utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            }
    }
}
