import Model

/// Reads the play activity of Apple's privacy export: CSV whose rows are in no particular order, and several of which
/// may be parts of one play. So all rows are read before the first listen is known.
///
/// Holds at most 1,000,000 rows, which take 50 MiB, and the names of their songs: 64 MiB, and as much again for looking
/// them up.
///
/// What it says about accounts, devices and places is not stored; devices only show which rows belong together.
final class PlayActivityReader: LibraryFileReader {
    private static let mostRows = 1_000_000
    private static let mostDevices = 1_000
    /// The most bytes of the names of all songs.
    private static let mostNameBytes = 64 << 20
    /// Positions in a recording, in milliseconds; others count as missing.
    private static let positions = 0...FileValues.milliseconds.upperBound

    /// A row with a play, or a part of one.
    private struct Part {
        var line: Int
        /// In microseconds since 1970.
        var end: Int64
        var song: Int32
        var device: Int32
        /// The number of the play that it belongs to, in chronological order.
        var play: Int32 = 0
        /// At least 1.
        var playedMs: Int32
        /// In milliseconds; -1 if missing.
        var startPosition: Int32
        var endPosition: Int32

        /// In microseconds since 1970.
        var start: Int64 { end - Int64(playedMs) * 1_000 }

        /// The longest gap between the parts of a play, in microseconds.
        private static let longestPause: Int64 = 1_800_000_000
        /// How far the start of a part may be from the end of the previous one, in milliseconds of the recording.
        private static let positionTolerance = 1_000

        func continues(_ before: Part) -> Bool {
            guard song == before.song, start - before.end < Self.longestPause, startPosition >= 0,
                before.endPosition >= 0
            else { return false }
            return (startPosition - before.endPosition).magnitude <= Self.positionTolerance
        }
    }

    private struct Song: Hashable {
        var title: String
        var artist: String
        var album: String?
        var durationMs: Int?

        /// The approximate memory that the song takes.
        var bytes: Int { title.utf8.count + artist.utf8.count + (album?.utf8.count ?? 0) + 100 }
    }

    private let records: CSVRecords
    private let columns: [String: Int]
    private var songs: [Song] = []
    private var songNumbers: [Song: Int] = [:]
    private var nameBytes = 0
    private var devices: [String: Int] = [:]
    private var parts: [Part] = []
    /// The first part of the next play to return; `nil` until all rows are read.
    private var nextPart: Int?
    /// The remaining items of a play.
    private var items: ArraySlice<LibraryFileItem> = []

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        records = CSVRecords(bytes, separator: UInt8(ascii: ","))
        let head = try records.next()?.fields ?? []
        columns = Dictionary(
            head.enumerated().map { ($1.trimmed ?? "", $0) },
            uniquingKeysWith: { first, _ in first })
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while nextPart == nil {
            guard let record = try records.next() else {
                findPlays()
                nextPart = 0
                break
            }
            if let reason = record.damage ?? add(record) { return .skipped(line: record.line, reason: reason) }
        }
        if let item = items.popFirst() { return item }
        guard let start = nextPart, start < parts.count else { return nil }
        let end = parts[start...].firstIndex { $0.play != parts[start].play } ?? parts.count
        nextPart = end
        items = items(of: parts[start..<end])[...]
        return items.popFirst()
    }

    /// - Returns: why the row is skipped.
    private func add(_ record: CSVRecords.Record) -> String? {
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
        guard type == "PLAY_END" else { return "it is not the end of a play (\(type))" }
        if let item = field("Item Type"), !["ITUNES_STORE_CONTENT", "UPLOADED_CONTENT", "SONG"].contains(item) {
            return ListenRules.noMusic
        }
        guard let title = field("Song Name", "Content Name"), let artist = field("Artist Name", "Container Artist Name")
        else { return ListenRules.noNames }
        guard let milliseconds = field("Play Duration Milliseconds").flatMap(Self.number) else {
            return ListenRules.noPlayedTime
        }
        guard let end = field("Event End Timestamp").flatMap({ FileValues.moment(rfc3339: $0) }) else {
            return ListenRules.noTime
        }
        guard milliseconds >= 1 else { return "it was not played" }
        guard let played = FileValues.milliseconds(milliseconds) else { return ListenRules.noPlayedTime }
        guard parts.count < Self.mostRows else { return "a file may have at most \(Self.mostRows) plays; split it" }
        let duration = FileValues.milliseconds(field("Media Duration In Milliseconds").flatMap(Self.number))
        let song = Song(
            title: FileValues.name(title), artist: FileValues.name(artist),
            album: field("Album Name").map(FileValues.name), durationMs: duration)
        let device = SongKey.id(field("Device Identifier") ?? "")
        guard let song = number(of: song), let device = number(ofDevice: device) else {
            return "the file names too many songs or devices; split it"
        }
        func position(_ name: String) -> Int32 {
            field(name).flatMap(Self.number)
                .flatMap { Int(rounding: $0, in: Self.positions) }.map { Int32($0) } ?? -1
        }
        parts.append(
            Part(
                line: record.line, end: end.microseconds, song: song, device: device, playedMs: Int32(played),
                startPosition: position("Start Position In Milliseconds"),
                endPosition: position("End Position In Milliseconds")))
        return nil
    }

    private static func number(_ text: String) -> Double? { Double(decimal: text, in: -1e15...1e15) }

    /// - Returns: `nil` if there is no room for another song.
    private func number(of song: Song) -> Int32? {
        if let number = songNumbers[song] { return Int32(number) }
        guard let bytes = nameBytes.adding(song.bytes, atMost: Self.mostNameBytes) else { return nil }
        nameBytes = bytes
        songNumbers[song] = songs.count
        songs.append(song)
        return Int32(songs.count - 1)
    }

    /// - Returns: `nil` if there is no room for another device.
    private func number(ofDevice device: String) -> Int32? {
        if let number = devices[device] { return Int32(number) }
        guard devices.count < Self.mostDevices else { return nil }
        devices[device] = devices.count
        return Int32(devices.count - 1)
    }

    /// Groups the parts of each play, and sorts the plays chronologically.
    private func findPlays() {
        (songNumbers, devices) = ([:], [:])
        parts.sort { ($0.end, $0.start, $0.line) < ($1.end, $1.start, $1.line) }
        var plays: Int32 = 0
        // The latest part on each device: another part continues its play if nothing else was played in between.
        var latest: [Int32: Int] = [:]
        for index in parts.indices {
            if let before = latest[parts[index].device], parts[index].continues(parts[before]) {
                parts[index].play = parts[before].play
            } else {
                parts[index].play = plays
                plays += 1
            }
            latest[parts[index].device] = index
        }
        parts.sort { ($0.play, $0.end, $0.start, $0.line) < ($1.play, $1.end, $1.start, $1.line) }
    }

    /// - Parameter play: the parts of the play, at least one.
    private func items(of play: ArraySlice<Part>) -> [LibraryFileItem] {
        let first = play[play.startIndex]
        let song = songs[Int(first.song)]
        // At most a million weeks.
        let played = play.reduce(0) { $0 + Int($1.playedMs) }
        if let reason = ListenRules.refusal(playedMs: played, durationMs: song.durationMs) {
            return play.map { .skipped(line: $0.line, reason: reason) }
        }
        let start = Timestamp(microseconds: play.map(\.start).min() ?? first.start)
        guard var listen = FileListen(title: song.title, artist: song.artist, album: song.album, time: start) else {
            return play.map { .skipped(line: $0.line, reason: ListenRules.noNames) }
        }
        (listen.durationMs, listen.playedMs, listen.precision) = (song.durationMs, played, .millisecond)
        return [.listen(listen, line: first.line)] + play.dropFirst().map { .continued(line: $0.line) }
    }
}
