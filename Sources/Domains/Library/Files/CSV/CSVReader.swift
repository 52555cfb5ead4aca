import Foundation
import Model

/// Reads songs from CSV with a header line, as Backline and programs that copy playlists write it.
///
/// A row that names a playlist belongs to that playlist only, and is not part of the library unless it says that the
/// song is liked. The playlists stay in memory until the end of the file: at most 100,000 entries and 5,000 names and
/// keys, which take 50 MiB.
final class CSVReader: LibraryFileReader {
    private let records: CSVRecords
    private let columns: CSVColumns
    /// The playlist that all rows belong to, in a file without a column for it.
    private let list: String?
    private struct ListName: Hashable {
        var key: String
        var name: String
    }

    private static let mostPlaylists = 5_000

    /// The playlists that rows name, in order of appearance.
    private var playlists: [FilePlaylist] = []
    private var indices: [ListName: Int] = [:]
    private var entries = 0
    private var isAtEnd = false

    /// - Parameter name: the file's name in an archive. Programs that write one file for each playlist name it after
    ///   the playlist.
    init(_ records: CSVRecords, _ columns: CSVColumns, name: String? = nil) {
        (self.records, self.columns) = (records, columns)
        list = columns.isOfShazam ? "Shazam" : columns.isOfExportify ? name.flatMap(Self.list) : nil
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while !isAtEnd {
            guard let record = try records.next() else {
                isAtEnd = true
                // They are returned from the end.
                playlists.reverse()
                break
            }
            if let damage = record.damage { return .skipped(line: record.line, reason: damage) }
            if let item = item(columns.row(record.fields), line: record.line) { return item }
        }
        return playlists.popLast().map { .playlist($0) }
    }

    /// - Returns: `nil` for a playlist entry that is not a song; it counts with its playlist.
    private func item(_ row: CSVColumns.Row, line: Int) -> LibraryFileItem? {
        let name = row.playlist ?? list
        switch row.kind {
        case .other(let noun): return .skipped(line: line, reason: "\(noun) is not a song")
        case .entry(let kind):
            guard columns.isOwn, let name else {
                return .skipped(line: line, reason: "an entry of type “\(kind.rawValue)” is not a song")
            }
            let title = row.track.title.isEmpty ? nil : row.track.title
            let entry = FilePlaylist.Entry(key: nil, title: title, addedAt: row.track.addedAt, kind: kind)
            if let refusal = add(entry, to: name, row.playlistKey) { return .skipped(line: line, reason: refusal) }
            return nil
        case .song, .favorite:
            if let refusal = row.track.refusal(isOwn: columns.isOwn) { return .skipped(line: line, reason: refusal) }
        }
        guard let name, row.kind != .favorite else { return .track(FileTrack(row.track), line: line) }
        var track = row.track
        track.addedAt = row.taggedAt ?? track.addedAt
        let entry = FilePlaylist.Entry(key: track.sourceID, addedAt: track.addedAt)
        if let refusal = add(entry, to: name, row.playlistKey) { return .skipped(line: line, reason: refusal) }
        return .track(FileTrack(track, isSaved: false), line: line)
    }

    /// - Returns: why there is no room for the entry; `nil` once it is added.
    private func add(_ entry: FilePlaylist.Entry, to list: String, _ key: String?) -> String? {
        guard entries < FilePlaylist.mostEntries else { return FilePlaylist.isFull }
        let named = ListName(key: FilePlaylist.key(key ?? ""), name: FileValues.name(list))
        let index = indices[named] ?? playlists.count
        if index == playlists.count {
            guard index < Self.mostPlaylists else {
                return "a file may have at most \(Self.mostPlaylists) playlists; split it"
            }
            indices[named] = index
            playlists.append(FilePlaylist(key: named.key, name: named.name))
        }
        entries += 1
        playlists[index].entries.append(entry)
        if entry.key == nil { playlists[index].otherRows += 1 }
        return nil
    }

    /// The name of the playlist in one of Exportify's files. Exportify writes underscores for characters that file
    /// names may not contain. `nil` for the songs the person likes, which are the library.
    private static func list(_ file: String) -> String? {
        let last = file.split(separator: "/").last.map(String.init) ?? file
        let name = (last as NSString).deletingPathExtension.replacing("_", with: " ").trimmed
        return name.flatMap { ["liked", "liked songs"].contains($0.lowercased()) ? nil : $0 }
    }
}
