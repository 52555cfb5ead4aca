import Foundation
import Model

/// A song of Last.fm's API (`user.getRecentTracks`), whose artist and album are objects with names of two kinds.
struct LastfmTrack {
    private let name: String?
    private let mbid: String?
    private let artist: String?
    private let album: String?
    private let seconds: Int?

    /// - Returns: `nil` for a value of another form.
    init?(_ value: JSONValue) {
        guard var track = JSONMembers(value) else { return nil }
        func name(_ value: JSONValue?) -> String? { value?.members?["#text"]?.text ?? value?.members?["name"]?.text }
        (self.name, mbid) = (track.text("name"), track.text("mbid"))
        (artist, album) = (name(value.members?["artist"]), name(value.members?["album"]))
        seconds = value.members?["date"]?.members?["uts"]?.number
        if track.isDamaged { return nil }
    }

    func item(line: Int) -> LibraryFileItem {
        // What is playing now has no date.
        guard let time = FileValues.moment(ofSeconds: seconds) else {
            return .skipped(line: line, reason: ListenRules.noTime)
        }
        guard var listen = FileListen(title: name, artist: artist, album: album, time: time) else {
            return .skipped(line: line, reason: ListenRules.noNames)
        }
        listen.recordingMBID = mbid?.trimmed?.lowercased()
        return .listen(listen, line: line)
    }
}

/// Reads pages of Last.fm's API, as programs that export from it write one after the other. It holds one, of at most
/// 4 MiB: 50 MiB of memory.
final class LastfmReader: LibraryFileReader {
    private static let largestPage = 1 << 22

    private let scanner: JSONScanner
    private let isArray: Bool
    private var pages = 0
    private var lines = 0
    private var rest: ArraySlice<JSONValue> = []
    private var isAtEnd = false

    init(_ bytes: TextBytes) throws(LibraryFileError) {
        scanner = JSONScanner(bytes)
        isArray = try scanner.peek() == UInt8(ascii: "[")
        if isArray { try scanner.take("[") }
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        while true {
            if let track = rest.popFirst() {
                lines += 1
                return LastfmTrack(track)?.item(line: lines)
                    ?? .skipped(line: lines, reason: "it is no listen, or has a value of another type")
            }
            guard !isAtEnd else { return nil }
            guard try isArray ? scanner.advance(isFirst: pages == 0, until: "]") : scanner.peek() != nil else {
                isAtEnd = true
                return nil
            }
            pages += 1
            let page = try scanner.value(limit: Self.largestPage)?.members
            guard let list = page?["track"] ?? page?["recenttracks"]?.members?["track"] else {
                lines += 1
                return .skipped(line: lines, reason: "it is no page of Last.fm's listens")
            }
            // A single one is no list.
            rest = (list.elements ?? [list])[...]
        }
    }
}

/// Reads listens of Last.fm from comma-separated values: with a head line that has `uts`, or without one:
/// `artist,album,track,"19 Aug 2026, 20:48"`.
final class LastfmCSVReader: LibraryFileReader {
    private let records: CSVRecords
    private var columns: [String: Int]

    init(_ bytes: TextBytes, hasHead: Bool) throws(LibraryFileError) {
        records = CSVRecords(bytes, separator: UInt8(ascii: ","))
        columns = ["artist": 0, "album": 1, "track": 2, "utc_time": 3]
        if hasHead, let head = try records.next() {
            columns = Dictionary(
                head.fields.enumerated().map { ($1.lowercased().trimmingCharacters(in: .whitespaces), $0) },
                uniquingKeysWith: { first, _ in first })
        }
    }

    func next() throws(LibraryFileError) -> LibraryFileItem? {
        guard let record = try records.next() else { return nil }
        if let damage = record.damage { return .skipped(line: record.line, reason: damage) }
        func field(_ name: String) -> String? {
            columns[name].flatMap { record.fields.indices.contains($0) ? record.fields[$0].trimmed : nil }
        }
        let seconds = FileValues.moment(ofSeconds: field("uts").flatMap { Int(decimal: $0, in: FileValues.seconds) })
        guard let time = seconds ?? field("utc_time").flatMap(Self.minute) else {
            return .skipped(line: record.line, reason: ListenRules.noTime)
        }
        guard
            var listen = FileListen(title: field("track"), artist: field("artist"), album: field("album"), time: time)
        else { return .skipped(line: record.line, reason: ListenRules.noNames) }
        listen.precision = seconds == nil ? .minute : .second
        listen.recordingMBID = field("track_mbid")?.lowercased()
        return .listen(listen, line: record.line)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// UTC: `31 Dec 2025, 21:38`.
    static func minute(_ text: String) -> Timestamp? {
        guard text.utf8.count <= 64 else { return nil }
        let words = text.replacing(",", with: " ").split(separator: " ")
        guard words.count == 4, let day = Int(decimal: words[0], in: 1...31),
            let month = months.firstIndex(of: String(words[1])),
            let year = Int(decimal: words[2], in: FileValues.years), words[3].utf8.count == 5
        else { return nil }
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return Timestamp(rfc3339: "\(year)-\(two(month + 1))-\(two(day))T\(words[3]):00Z")
    }

    /// Whether a first line is one of a file without a head.
    static func isRow(_ line: String) -> Bool {
        guard line.hasSuffix("\""), let start = line.dropLast().lastIndex(of: "\"") else { return false }
        return minute(String(line[line.index(after: start)...].dropLast())) != nil
    }
}
