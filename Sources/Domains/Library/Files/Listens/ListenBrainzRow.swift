import Foundation
import Model

/// A listen in the form of ListenBrainz, from its exports, its API, or Backline's exports.
struct ListenBrainzRow {
    private let listenedAt: JSONValue?
    private let hasMetadata: Bool
    private var title: String?
    private var artist: String?
    private var album: String?
    private var info: [String: JSONValue] = [:]
    /// The recording's id next to the metadata, as other API responses have it.
    private let rowMBID: String?
    /// What ListenBrainz found out by itself.
    private var mapping: [String: JSONValue] = [:]

    /// - Returns: `nil` for a value of another form.
    init?(_ value: JSONValue) {
        guard let members = value.members else { return nil }
        listenedAt = members["listened_at"]
        rowMBID = members["recording_mbid"]?.plainText?.trimmed
        let metadata = members["track_metadata"] ?? .null
        hasMetadata = metadata != .null
        guard hasMetadata else { return }
        guard var texts = JSONMembers(metadata) else { return nil }
        (title, artist, album) = (texts.text("track_name"), texts.text("artist_name"), texts.text("release_name"))
        if texts.isDamaged { return nil }
        mapping = metadata["mbid_mapping"]?.plainMembers ?? [:]
        switch metadata["additional_info"] {
        // Programs without further details send such values, too, and requests with them are accepted.
        case nil, .null, .flag(false), .text(""): break
        case let value?:
            guard let members = value.plainMembers else { return nil }
            info = members
        }
    }

    /// - Returns: `nil` for other lines of such exports: feedback and pinned recordings.
    func item(line: Int) -> LibraryFileItem? {
        guard hasMetadata else { return nil }
        let exact = text(Self.ownTime).flatMap { FileValues.moment(rfc3339: $0) }
        let seconds = FileValues.moment(ofSeconds: listenedAt?.plainNumber)
        guard let time = exact ?? seconds else { return .skipped(line: line, reason: ListenRules.noTime) }
        guard var listen = FileListen(title: title, artist: artist, album: album, time: time) else {
            return .skipped(line: line, reason: ListenRules.noNames)
        }
        listen.precision =
            text(Self.ownPrecision).flatMap { FileListen.Precision(rawValue: $0) }
            ?? (exact == nil ? .second : .millisecond)
        listen.isExported = exact != nil
        listen.durationMs =
            FileValues.milliseconds(info["duration_ms"]?.plainNumber)
            ?? FileValues.milliseconds(ofSeconds: info["duration"]?.plainNumber)
        listen.playedMs =
            FileValues.milliseconds(info[Self.ownPlayed]?.plainNumber)
            ?? FileValues.milliseconds(ofSeconds: info["duration_played"]?.plainNumber)
        listen.isrc = text("isrc")?.uppercased()
        // What the program reported takes precedence.
        let recording = text("recording_mbid") ?? mapping["recording_mbid"]?.plainText?.trimmed ?? rowMBID
        listen.recordingMBID = recording ?? text("lastfm_track_mbid")
        listen.spotifyID = text("spotify_id")?.split(separator: "/").last.map(String.init)
        listen.client = text("submission_client")
        let others = info.filter { !Self.known.contains($0.key) && !$0.value.isEmpty }
        if !others.isEmpty, let data = try? Self.encoder.encode(others) {
            listen.details = String(decoding: data, as: UTF8.self)
        }
        return .listen(listen, line: line)
    }

    private func text(_ name: String) -> String? { info[name]?.plainText?.trimmed }

    /// The listens of a row. An API response (`{"payload": {"listens": […]}}`) and what programs send to the API
    /// (`{"payload": […]}`) have several.
    static func listens(of value: JSONValue) -> [JSONValue] {
        guard let payload = value.members?["payload"] else { return [value] }
        return payload.members?["listens"]?.plainElements ?? payload.plainElements
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// Members of `additional_info` in Backline's own exports, for what ListenBrainz' form cannot express.
    static let ownTime = "backline_listened_at"
    static let ownPlayed = "backline_played_ms"
    static let ownPrecision = "backline_precision"

    private static let known: Set<String> = [ownTime, ownPlayed, ownPrecision, "recording_msid"]
}
