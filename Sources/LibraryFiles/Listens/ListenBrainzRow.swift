import Foundation
import Model

/// A listen in the form of ListenBrainz: of its exports, of its API, and of Backline's exports.
struct ListenBrainzRow {
    private let listenedAt: JSONValue?
    private let hasMetadata: Bool
    private var title: String?
    private var artist: String?
    private var album: String?
    private var info: [String: JSONValue] = [:]

    /// - Returns: `nil` for a value of another form.
    init?(_ value: JSONValue) {
        guard let members = value.members else { return nil }
        listenedAt = members["listened_at"]
        let metadata = members["track_metadata"] ?? .null
        hasMetadata = metadata != .null
        guard hasMetadata else { return }
        guard var texts = JSONMembers(metadata) else { return nil }
        (title, artist, album) = (texts.text("track_name"), texts.text("artist_name"), texts.text("release_name"))
        if texts.isDamaged { return nil }
        switch metadata.members?["additional_info"] {
        case nil, .null: break
        case .object(let members): info = members
        default: return nil
        }
    }

    /// - Returns: `nil` for other lines of such exports: feedback and pinned recordings.
    func item(line: Int) -> LibraryFileItem? {
        guard hasMetadata else { return nil }
        let exact = info[Self.ownTime]?.text.flatMap { FileValues.moment(rfc3339: $0) }
        let seconds = FileValues.moment(ofSeconds: listenedAt?.number)
        guard let time = exact ?? seconds else { return .skipped(line: line, reason: ListenRules.noTime) }
        guard var listen = FileListen(title: title, artist: artist, album: album, time: time) else {
            return .skipped(line: line, reason: ListenRules.noNames)
        }
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
