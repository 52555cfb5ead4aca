import Foundation
import Model

/// Reads songs from comma-separated values with a head line, as Backline and programs that copy playlists write them.
///
/// Rows that name a playlist belong to it, and not to the library by themselves. The playlists are in memory until the
/// end of the file: at most 100,000 entries and 5,000 names and keys, which are 50 MiB.
final class CSVReader: LibraryFileReader {
    private let records: CSVRecords
    private let columns: CSVColumns
    /// The playlist of all rows, which their file has no column for.
    private let list: String?
    private struct ListName: Hashable {
        var key: String
        var name: String
    }

    private static let mostPlaylists = 5_000

    /// The playlists that rows name, in their order.
    private var playlists: [FilePlaylist] = []
    private var places: [ListName: Int] = [:]
    private var entries = 0
    private var isAtEnd = false

    /// - Parameter name: of the file in an archive. Programs that write a playlist into each file name it so.
    init(_ bytes: TextBytes, name: String? = nil) throws(LibraryFileError) {
        let head = String(decoding: try bytes.peek(4_096).prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        // Excel writes this above the head.
        let told = head.replacing("\"", with: "").lowercased()
        if told.hasPrefix("sep="), told.utf8.count == 5, let separator = told.utf8.last {
            records = CSVRecords(bytes, separator: separator)
            _ = try records.next()
        } else {
            let separators: [(UInt8, Int)] = [0x2C, 0x3B, 0x09].map { separator in
                (separator, head.utf8.count { $0 == separator })
            }
            records = CSVRecords(bytes, separator: separators.max { $0.1 < $1.1 }?.0 ?? 0x2C)
        }
        guard let first = try records.next() else { throw LibraryFileError("The file is empty.") }
        guard first.damage == nil else {
            throw LibraryFileError(
                "A quotation mark is missing in the first line, which names the columns. Export the file again.")
        }
        columns = try CSVColumns(first.fields)
        list = columns.isOfExportify ? name.flatMap(Self.list) : nil
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while !isAtEnd {
            guard let record = try records.next() else {
                isAtEnd = true
                // They are handed on from the end.
                playlists.reverse()
                break
            }
            if let damage = record.damage { return .skipped(line: record.line, reason: damage) }
            guard let row = columns.row(record.fields) else {
                return .skipped(line: record.line, reason: "the row has no title")
            }
            guard let name = row.playlist ?? list else { return .track(FileTrack(row.track), line: record.line) }
            guard entries < FilePlaylist.mostEntries else {
                return .skipped(line: record.line, reason: FilePlaylist.isFull)
            }
            let named = ListName(key: FilePlaylist.key(row.playlistKey ?? ""), name: FileValues.name(name))
            let place = places[named] ?? playlists.count
            if place == playlists.count {
                guard place < Self.mostPlaylists else {
                    return .skipped(
                        line: record.line, reason: "a file may have \(Self.mostPlaylists) playlists; split it")
                }
                places[named] = place
                playlists.append(FilePlaylist(key: named.key, name: named.name))
            }
            entries += 1
            playlists[place].entries.append(.init(key: row.track.sourceID, addedAt: row.track.addedAt))
            var track = row.track
            track.addedAt = nil
            return .track(FileTrack(track, isSaved: false), line: record.line)
        }
        return playlists.popLast().map { .playlist($0) }
    }

    /// The name of the playlist in a file of Exportify, which writes underscores for characters that files' names may
    /// not have; `nil` for the songs that the person likes, which are the library.
    private static func list(_ file: String) -> String? {
        let last = file.split(separator: "/").last.map(String.init) ?? file
        let name = (last as NSString).deletingPathExtension.replacing("_", with: " ").trimmed
        return name.flatMap { ["liked", "liked songs"].contains($0.lowercased()) ? nil : $0 }
    }
}
