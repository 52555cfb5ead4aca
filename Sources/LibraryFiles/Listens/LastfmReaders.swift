import Foundation
import Model

/// A song of Last.fm's API (`user.getRecentTracks`), whose artist and album are objects with names of two kinds.
struct LastfmTrack: Decodable {
    struct Name: Decodable {
        var text: String?
        var name: String?

        enum CodingKeys: String, CodingKey {
            case text = "#text"
            case name
        }
    }

    struct Moment: Decodable {
        var uts: JSONValue?
    }

    var name: String?
    var mbid: String?
    var artist: Name?
    var album: Name?
    var date: Moment?

    func item(line: Int) -> LibraryFileItem {
        // What is playing now has no date.
        guard let time = FileValues.moment(ofSeconds: date?.uts?.number) else {
            return .skipped(line: line, reason: ListenRules.noTime)
        }
        guard
            var listen = FileListen(
                title: name, artist: artist?.text ?? artist?.name, album: album?.text ?? album?.name, time: time)
        else { return .skipped(line: line, reason: ListenRules.noNames) }
        listen.recordingMBID = mbid?.trimmed?.lowercased()
        return .listen(listen, line: line)
    }
}

/// A page of Last.fm's API, as programs that export from it write one after the other.
struct LastfmPage: Decodable {
    struct List: Decodable {
        var track: [DecodedOrNot<LastfmTrack>]
    }

    var track: [DecodedOrNot<LastfmTrack>]?
    var recenttracks: List?

    var tracks: [DecodedOrNot<LastfmTrack>] { track ?? recenttracks?.track ?? [] }
}

/// Reads pages of Last.fm's API.
final class LastfmReader: LibraryFileReader {
    private static let largestPage = 1 << 22

    private let scanner: JSONScanner
    private let isArray: Bool
    private var pages = 0
    private var lines = 0
    private var rest: ArraySlice<DecodedOrNot<LastfmTrack>> = []
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
                return track.value?.item(line: lines)
                    ?? .skipped(line: lines, reason: "it is no listen, or has a value of another type")
            }
            guard !isAtEnd else { return nil }
            guard try isArray ? scanner.advance(isFirst: pages == 0, until: "]") : scanner.peek() != nil else {
                isAtEnd = true
                return nil
            }
            pages += 1
            let bytes = try scanner.value(limit: Self.largestPage)
            guard let page = try? JSONDecoder().decode(LastfmPage.self, from: Data(bytes)) else {
                lines += 1
                return .skipped(line: lines, reason: "it is no page of Last.fm's listens")
            }
            rest = page.tracks[...]
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
        let seconds = FileValues.moment(ofSeconds: field("uts").flatMap { Int($0) })
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
        let words = text.replacing(",", with: " ").split(separator: " ")
        guard words.count == 4, let day = Int(words[0]), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[1])),
            let year = Int(words[2]), words[3].utf8.count == 5
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
