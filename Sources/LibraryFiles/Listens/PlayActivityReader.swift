import Foundation
import Model

/// Reads the play activity of Apple's privacy export: comma-separated values whose rows are in no order, and of which
/// several may be parts of one play. So all rows are read before the first listen is known.
///
/// What it says of accounts, devices and places is not kept; devices only tell which rows belong together.
final class PlayActivityReader: LibraryFileReader {
    /// A row that was played.
    private struct Part {
        var line: Int
        var song: Int
        var device: Int
        /// In microseconds since 1970.
        var start: Int64
        var end: Int64
        var playedMs: Int
        var startPosition: Int?
        var endPosition: Int?

        /// Parts of a play are no farther apart than this, in microseconds.
        private static let longestPause: Int64 = 1_800_000_000
        /// How far a part may begin from the end of the one before it, in milliseconds of the recording.
        private static let positionTolerance = 1_000

        func continues(_ before: Part) -> Bool {
            guard song == before.song, start - before.end < Self.longestPause, let startPosition,
                let end = before.endPosition
            else { return false }
            return abs(startPosition - end) <= Self.positionTolerance
        }
    }

    private struct Song: Hashable {
        var title: String
        var artist: String
        var album: String?
        var durationMs: Int?
    }

    private let records: CSVRecords
    private let columns: [String: Int]
    private var songs: [Song] = []
    private var songNumbers: [Song: Int] = [:]
    private var devices: [String: Int] = [:]
    private var parts: [Part] = []
    private var items: ArraySlice<LibraryFileItem>?

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        records = CSVRecords(bytes, separator: UInt8(ascii: ","))
        let head = try records.next()?.fields ?? []
        columns = Dictionary(
            head.enumerated().map { ($1.trimmingCharacters(in: .whitespaces), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while items == nil {
            guard let record = try records.next() else {
                items = listens()[...]
                break
            }
            if let reason = record.damage ?? take(record) { return .skipped(line: record.line, reason: reason) }
        }
        return items?.popFirst()
    }

    /// - Returns: why the row is left out.
    private func take(_ record: CSVRecords.Record) -> String? {
        func field(_ names: String...) -> String? {
            for name in names {
                if let index = columns[name], record.fields.indices.contains(index),
                    let text = record.fields[index].trimmed
                {
                    return text
                }
            }
            return nil
        }
        // Rows before May 2016 have no type.
        let type = field("Event Type") ?? "PLAY_END"
        guard type == "PLAY_END" else { return "it is no end of a play (\(type))" }
        if let item = field("Item Type"), !["ITUNES_STORE_CONTENT", "UPLOADED_CONTENT", "SONG"].contains(item) {
            return ListenRules.noMusic
        }
        guard let title = field("Song Name", "Content Name"), let artist = field("Artist Name", "Container Artist Name")
        else { return ListenRules.noNames }
        guard let milliseconds = field("Play Duration Milliseconds").flatMap(Double.init),
            let end = FileValues.moment(field("Event End Timestamp").flatMap { Timestamp(rfc3339: $0) })
        else { return ListenRules.noTime }
        guard milliseconds >= 1 else { return "it was not played" }
        guard let played = FileValues.milliseconds(milliseconds) else { return ListenRules.noTime }
        let duration = FileValues.milliseconds(field("Media Duration In Milliseconds").flatMap(Double.init))
        let song = Song(title: title, artist: artist, album: field("Album Name"), durationMs: duration)
        let number = songNumbers[song] ?? songs.count
        if number == songs.count {
            songs.append(song)
            songNumbers[song] = number
        }
        let device = field("Device Identifier") ?? ""
        devices[device] = devices[device] ?? devices.count
        func position(_ name: String) -> Int? {
            field(name).flatMap(Double.init).flatMap { abs($0) < 1e12 ? Int($0) : nil }
        }
        parts.append(
            Part(
                line: record.line, song: number, device: devices[device] ?? 0,
                start: end.microseconds - Int64(played) * 1_000, end: end.microseconds, playedMs: played,
                startPosition: position("Start Position In Milliseconds"),
                endPosition: position("End Position In Milliseconds")))
        return nil
    }

    /// The plays of all rows, in the order of time.
    private func listens() -> [LibraryFileItem] {
        parts.sort { ($0.end, $0.start, $0.line) < ($1.end, $1.start, $1.line) }
        var plays: [[Part]] = []
        // The latest play of each device: a part continues it if nothing else was played in between.
        var latest: [Int: Int] = [:]
        for part in parts {
            if let index = latest[part.device], let before = plays[index].last, part.continues(before) {
                plays[index].append(part)
            } else {
                latest[part.device] = plays.count
                plays.append([part])
            }
        }
        parts = []
        return plays.flatMap(items)
    }

    private func items(of play: [Part]) -> [LibraryFileItem] {
        let song = songs[play[0].song]
        let played = play.reduce(0) { $0 + $1.playedMs }
        if let reason = ListenRules.refusal(playedMs: played, durationMs: song.durationMs) {
            return play.map { .skipped(line: $0.line, reason: reason) }
        }
        let start = Timestamp(microseconds: play.map(\.start).min() ?? play[0].start)
        guard var listen = FileListen(title: song.title, artist: song.artist, album: song.album, time: start) else {
            return play.map { .skipped(line: $0.line, reason: ListenRules.noNames) }
        }
        (listen.durationMs, listen.playedMs, listen.precision) = (song.durationMs, played, .millisecond)
        return [.listen(listen, line: play[0].line)] + play.dropFirst().map { .continued(line: $0.line) }
    }
}
