import Foundation
import Model

/// Reads songs from comma-separated values with a head line, as Backline and programs that copy playlists write them.
///
/// Rows that name a playlist belong to it, and not to the library by themselves, unless they say that they are liked.
/// The playlists are in memory until the end of the file: at most 100,000 entries and 5,000 names and keys, which are
/// 50 MiB.
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
    init(_ records: CSVRecords, _ columns: CSVColumns, name: String? = nil) {
        (self.records, self.columns) = (records, columns)
        list = columns.isOfShazam ? "Shazam" : columns.isOfExportify ? name.flatMap(Self.list) : nil
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
            if let item = item(columns.row(record.fields), line: record.line) { return item }
        }
        return playlists.popLast().map { .playlist($0) }
    }

    /// - Returns: `nil` for an entry of a playlist that is no song.
    private func item(_ row: CSVColumns.Row, line: Int) -> LibraryFileItem? {
        let name = row.playlist ?? list
        switch row.kind {
        case .other(let noun): return .skipped(line: line, reason: "\(noun) is not a song")
        case .entry(let kind):
            guard columns.isOwn, let name else { return .skipped(line: line, reason: "an \(kind.rawValue) entry is not a song") }
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

    /// - Returns: why there is no room for it.
    private func add(_ entry: FilePlaylist.Entry, to list: String, _ key: String?) -> String? {
        guard entries < FilePlaylist.mostEntries else { return FilePlaylist.isFull }
        let named = ListName(key: FilePlaylist.key(key ?? ""), name: FileValues.name(list))
        let place = places[named] ?? playlists.count
        if place == playlists.count {
            guard place < Self.mostPlaylists else { return "a file may have \(Self.mostPlaylists) playlists; split it" }
            places[named] = place
            playlists.append(FilePlaylist(key: named.key, name: named.name))
        }
        entries += 1
        playlists[place].entries.append(entry)
        return nil
    }

    /// The name of the playlist in a file of Exportify, which writes underscores for characters that files' names may
    /// not have; `nil` for the songs that the person likes, which are the library.
    private static func list(_ file: String) -> String? {
        let last = file.split(separator: "/").last.map(String.init) ?? file
        let name = (last as NSString).deletingPathExtension.replacing("_", with: " ").trimmed
        return name.flatMap { ["liked", "liked songs"].contains($0.lowercased()) ? nil : $0 }
    }
}
