import Foundation
import Model

/// A listen in the form of ListenBrainz: of its exports, of its API, and of Backline's exports.
struct ListenBrainzRow: Decodable {
    struct Metadata: Decodable {
        var title: String?
        var artist: String?
        var album: String?
        var info: [String: JSONValue]?

        enum CodingKeys: String, CodingKey {
            case title = "track_name"
            case artist = "artist_name"
            case album = "release_name"
            case info = "additional_info"
        }
    }

    var listenedAt: JSONValue?
    var metadata: Metadata?

    enum CodingKeys: String, CodingKey {
        case listenedAt = "listened_at"
        case metadata = "track_metadata"
    }

    /// - Returns: `nil` for other lines of such exports: feedback and pinned recordings.
    func item(line: Int) -> LibraryFileItem? {
        guard let metadata else { return nil }
        let info = metadata.info ?? [:]
        let exact = FileValues.moment(info[Self.ownTime]?.text.flatMap { Timestamp(rfc3339: $0) })
        let seconds = FileValues.moment(ofSeconds: listenedAt?.number)
        guard let time = exact ?? seconds else { return .skipped(line: line, reason: ListenRules.noTime) }
        guard
            var listen = FileListen(
                title: metadata.title, artist: metadata.artist, album: metadata.album, time: time)
        else { return .skipped(line: line, reason: ListenRules.noNames) }
        listen.precision = exact == nil ? .second : .millisecond
        listen.durationMs =
            FileValues.milliseconds(info["duration_ms"]?.number)
            ?? FileValues.milliseconds(ofSeconds: info["duration"]?.number)
        listen.playedMs =
            FileValues.milliseconds(info[Self.ownPlayed]?.number)
            ?? FileValues.milliseconds(ofSeconds: info["duration_played"]?.number)
        listen.isrc = info["isrc"]?.text?.trimmed?.uppercased()
        listen.recordingMBID = info["recording_mbid"]?.text?.trimmed?.lowercased()
        listen.spotifyID = info["spotify_id"]?.text?.split(separator: "/").last.map(String.init)
        listen.client = info["submission_client"]?.text?.trimmed
        let others = info.filter { !Self.known.contains($0.key) && !$0.value.isEmpty }
        if !others.isEmpty, let data = try? Self.encoder.encode(others) {
            listen.details = String(decoding: data, as: UTF8.self)
        }
        return .listen(listen, line: line)
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// Members of `additional_info` in Backline's own exports, which keep what ListenBrainz' form does not.
    static let ownTime = "backline_listened_at"
    static let ownPlayed = "backline_played_ms"

    private static let known: Set<String> = [ownTime, ownPlayed, "recording_msid"]
}

/// Any value of JSON.
enum JSONValue: Codable, Equatable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case array([JSONValue])
    case object([String: JSONValue])
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let array = try? container.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number):
            if let whole = Int(exactly: number) { try container.encode(whole) } else { try container.encode(number) }
        case .flag(let flag): try container.encode(flag)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        case .null: try container.encodeNil()
        }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// A whole number, also one that is written as a text; a fraction is cut off.
    var number: Int? {
        switch self {
        case .number(let number) where abs(number) < 1e15: Int(number)
        case .text(let text): Int(text)
        default: nil
        }
    }

    var isEmpty: Bool { self == .null || self == .text("") || self == .array([]) || self == .object([:]) }
}
