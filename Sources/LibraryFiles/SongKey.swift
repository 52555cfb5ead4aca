import Crypto
import Foundation
import Model

/// The key of a song in files that name none of their own: the address at its service, or else a hash of what the row
/// says, so that the same row has the same key in every file.
enum SongKey {
    /// - Parameter uri: its address at a service; another text counts as none.
    static func key(of track: SourceTrack, uri: String?) -> String {
        if let uri = uri.flatMap(normalized) { return uri }
        let facts = [
            track.title, track.artist, track.album, track.isrc ?? "", track.durationMs.map { String($0) } ?? "",
            track.trackNumber.map { String($0) } ?? "", track.discNumber.map { String($0) } ?? "",
            track.releaseDate?.text ?? "",
        ]
        let digest = SHA256.hash(data: Data(facts.joined(separator: "\u{1F}").utf8))
        return "hash:"
            + digest.prefix(16).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }.joined()
    }

    /// `spotify:track:ID` or `appleMusic:track:ID` for an address or URI of a song; `nil` for another text.
    static func normalized(_ text: String) -> String? {
        for beginning in ["spotify:track:", "https://open.spotify.com/track/", "http://open.spotify.com/track/"]
        where text.hasPrefix(beginning) {
            let id = text.dropFirst(beginning.count).prefix { $0 != "?" }
            return id.isPlainID(22...22) ? "spotify:track:\(id)" : nil
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
        // Exports of other programs have Spotify's ids alone.
        return text.isPlainID(22...22) ? "spotify:track:\(text)" : nil
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
