import Foundation
import Model

/// The CSV columns of listens, as Backline writes and reads them.
package enum ListenCSV {
    static let columns = [
        "listened_at", "title", "artist", "album", "played_ms", "duration_ms", "isrc", "recording_mbid", "spotify_id",
        "client", "sources", "precision",
    ]

    package static var head: [UInt8] { Array((columns.joined(separator: ",") + "\r\n").utf8) }

    /// - Parameter sources: the names of the sources that reported the listen. They are not read on import.
    package static func row(_ listen: FileListen, sources: [String]) -> [UInt8] {
        let fields = [
            listen.time.description, listen.title, listen.artist, listen.album ?? "",
            listen.playedMs.map(String.init) ?? "", listen.durationMs.map(String.init) ?? "", listen.isrc ?? "",
            listen.recordingMBID ?? "", listen.spotifyID ?? "", listen.client ?? "", sources.joined(separator: " "),
            listen.precision.rawValue,
        ]
        return Array((fields.map(quoted).joined(separator: ",") + "\r\n").utf8)
    }

    /// Whether headings are those of these columns. The first exports had no precision.
    static func areOwn(_ heads: [String]) -> Bool {
        Set(heads.map { $0.lowercased().trimmed ?? "" }).isSuperset(of: columns.prefix { $0 != "precision" })
    }

    private static func quoted(_ field: String) -> String {
        let isPlain = !field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return isPlain ? field : "\"" + field.replacing("\"", with: "\"\"") + "\""
    }
}
