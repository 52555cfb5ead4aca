import Crypto
import Foundation
import Model
import Platform

/// The MusicBrainz id of a recording or anything else, or Backline's own id for the description of a song: a UUID.
package enum RecordingID {
    /// Reads the forms that the ListenBrainz server accepts: with or without hyphens, in braces, or after `urn:uuid:`.
    ///
    /// - Returns: the id in lower case with hyphens; `nil` for any other text.
    package static func canonical(_ text: String) -> String? {
        guard text.utf8.count <= longest else { return nil }
        var digits = text.lowercased()
        for mark in ["urn:", "uuid:"] where digits.hasPrefix(mark) { digits.removeFirst(mark.count) }
        digits = digits.filter { !"{}-".contains($0) }
        guard digits.utf8.count == 32, digits.utf8.allSatisfy({ isDigit($0) }) else { return nil }
        return hyphenated(digits)
    }

    /// - Parameter digits: 32 hexadecimal digits.
    private static func hyphenated(_ digits: String) -> String {
        [(0, 8), (8, 4), (12, 4), (16, 4), (20, 12)]
            .map { String(digits.dropFirst($0.0).prefix($0.1)) }.joined(separator: "-")
    }

    /// The id of a song's description: the same for the same words, regardless of case.
    fileprivate static func of(_ words: [String]) -> String {
        let text = words.map { $0.lowercased() }.joined(separator: "\u{0}")
        var digest = Array(SHA256.hash(data: Data(text.utf8)).prefix(16))
        // Version 8 (RFC 9562) is for custom UUIDs.
        digest[6] = digest[6] & 0x0f | 0x80
        digest[8] = digest[8] & 0x3f | 0x80
        return hyphenated(digest.hexadecimal)
    }

    private static let longest = 64

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

extension SongDescription {
    /// The song's `recording_msid` in the ListenBrainz API, in the form of a UUID.
    package var msid: String { RecordingID.of([title, artist, album ?? ""]) }
}
