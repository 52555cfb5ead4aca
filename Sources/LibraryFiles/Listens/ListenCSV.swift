import Foundation
import Model

/// The columns of listens in comma-separated values, as Backline writes and reads them.
package enum ListenCSV {
    static let columns = [
        "listened_at", "title", "artist", "album", "played_ms", "duration_ms", "isrc", "recording_mbid", "spotify_id",
        "client", "sources",
    ]

    package static var head: [UInt8] { Array((columns.joined(separator: ",") + "\r\n").utf8) }

    /// - Parameter sources: the names of what told it, which are not read again.
    package static func row(_ listen: FileListen, sources: [String]) -> [UInt8] {
        let fields = [
            listen.time.description, listen.title, listen.artist, listen.album ?? "",
            listen.playedMs.map(String.init) ?? "", listen.durationMs.map(String.init) ?? "", listen.isrc ?? "",
            listen.recordingMBID ?? "", listen.spotifyID ?? "", listen.client ?? "", sources.joined(separator: " "),
        ]
        return Array((fields.map(quoted).joined(separator: ",") + "\r\n").utf8)
    }

    private static func quoted(_ field: String) -> String {
        let isPlain = !field.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
        return isPlain ? field : "\"" + field.replacing("\"", with: "\"\"") + "\""
    }
}

/// Reads listens that Backline wrote as comma-separated values.
final class ListenCSVReader: LibraryFileReader {
    private let records: CSVRecords
    private let columns: [String: Int]

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        records = CSVRecords(bytes, separator: UInt8(ascii: ","))
        let head = try records.next()?.fields ?? []
        columns = Dictionary(head.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        guard let record = try records.next() else { return nil }
        if let damage = record.damage { return .skipped(line: record.line, reason: damage) }
        func field(_ name: String) -> String? {
            columns[name].flatMap { record.fields.indices.contains($0) ? record.fields[$0].trimmed : nil }
        }
        guard let time = field("listened_at").flatMap({ FileValues.moment(rfc3339: $0) }) else {
            return .skipped(line: record.line, reason: ListenRules.noTime)
        }
        guard
            var listen = FileListen(title: field("title"), artist: field("artist"), album: field("album"), time: time)
        else { return .skipped(line: record.line, reason: ListenRules.noNames) }
        listen.precision = .millisecond
        listen.playedMs = field("played_ms").flatMap { Int(decimal: $0, in: FileValues.milliseconds) }
        listen.durationMs = field("duration_ms").flatMap { Int(decimal: $0, in: FileValues.milliseconds) }
        (listen.isrc, listen.recordingMBID) = (field("isrc"), field("recording_mbid"))
        (listen.spotifyID, listen.client) = (field("spotify_id"), field("client"))
        return .listen(listen, line: record.line)
    }
}
