import Model

/// Reads songs from comma-separated values with a head line, as Backline and programs that copy playlists write them.
///
/// Rows that name a playlist belong to it, and not to the library by themselves.
final class CSVReader: LibraryFileReader {
    private let records: CSVRecords
    private let columns: CSVColumns
    /// The playlists that rows name, in their order.
    private var playlists: [String: FilePlaylist] = [:]
    private var names: [String] = []
    private var isAtEnd = false

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        let head = String(decoding: try bytes.peek(4_096).prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        let separators: [(UInt8, Int)] = [",", ";", "\t"].map { separator in
            (UInt8(ascii: separator.unicodeScalars.first!), head.filter { String($0) == separator }.count)
        }
        records = CSVRecords(bytes, separator: separators.max { $0.1 < $1.1 }?.0 ?? 0x2C)
        guard let first = try records.next() else { throw LibraryFileError("The file is empty.") }
        columns = try CSVColumns(first.fields)
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while !isAtEnd {
            guard let record = try records.next() else {
                isAtEnd = true
                break
            }
            guard let row = columns.row(record.fields) else {
                return .skipped(line: record.line, reason: "the row has no title")
            }
            guard let name = row.playlist else { return .track(FileTrack(row.track), line: record.line) }
            if playlists[name] == nil {
                names.append(name)
                playlists[name] = FilePlaylist(key: "name:\(name)", name: name)
            }
            playlists[name]?.entries.append(.init(key: row.track.sourceID, addedAt: row.track.addedAt))
            var track = row.track
            track.addedAt = nil
            return .track(FileTrack(track, isSaved: false), line: record.line)
        }
        guard !names.isEmpty else { return nil }
        return playlists[names.removeFirst()].map { .playlist($0) }
    }
}
