import Foundation
import Listening
import Model

/// The `track_metadata` of a listen, checked by the rules of ListenBrainz.
struct ListenMetadata {
    let song: SaidSong
    /// How long it was played, if that is said.
    let playedMilliseconds: Int?
    let client: String?
    /// `additional_info` as JSON, flattened; `nil` when it is empty.
    let details: String?

    /// The longest duration: 24 days, in seconds.
    private static let longestSeconds = 2_073_600
    private static let mostTags = 50
    private static let longestTag = 64
    private static let singleIDs = [
        "release_mbid", "recording_mbid", "release_group_mbid", "track_mbid",
    ]
    private static let idLists = ["artist_mbids", "work_mbids"]

    /// - Parameter document: the bytes of the whole request.
    init(_ node: JSONNode, in document: [UInt8]) throws(ListenBrainzError) {
        guard case .object(let members) = node.value else {
            throw ListenBrainzError("JSON document must contain the key track_metadata as an object.")
        }
        let title = try Self.text("track_name", in: members)
        let artist = try Self.text("artist_name", in: members)
        let album = try Self.album(in: members)
        let info = try Self.info(in: members)
        let duration = try Self.duration(in: info)
        try Self.checkTags(in: info)
        for name in Self.singleIDs { _ = try Self.ids(name, in: info) }
        for name in Self.idLists { _ = try Self.ids(name, in: info) }
        song = SaidSong(
            title: title, artist: artist, album: album, durationMilliseconds: duration,
            isrc: Self.string("isrc", in: info).flatMap(SongText.isrc),
            recordingMBID: try Self.ids("recording_mbid", in: info).first?.lowercased(),
            spotifyID: Self.string("spotify_id", in: info).flatMap(Self.spotifyID))
        playedMilliseconds = info.first { $0.name == "duration_played" }
            .flatMap { Self.whole($0.value, in: 0...Self.longestSeconds) }.map { $0 * 1_000 }
        client = (Self.string("submission_client", in: info) ?? Self.string("listening_from", in: info))
            .map(SongText.program).flatMap { $0.isEmpty ? nil : $0 }
        details = try FlatJSON.text(of: info, in: document)
    }

    private static func text(_ name: String, in members: [JSONNode.Member]) throws(ListenBrainzError) -> String {
        guard let member = members.first(where: { $0.name == name }) else {
            throw ListenBrainzError("JSON document does not contain required field track_metadata.\(name).")
        }
        guard case .string(let text) = member.value.value else {
            throw ListenBrainzError("track_metadata.\(name) must be a single string.")
        }
        let trimmed = SongText.name(text.trimmingCharacters(in: .whitespacesAndNewlines))
        guard !trimmed.isEmpty else { throw ListenBrainzError("field track_metadata.\(name) is empty.") }
        return trimmed
    }

    private static func album(in members: [JSONNode.Member]) throws(ListenBrainzError) -> String? {
        guard let member = members.first(where: { $0.name == "release_name" }) else { return nil }
        switch member.value.value {
        case .null: return nil
        case .string(let text):
            let trimmed = SongText.name(text.trimmingCharacters(in: .whitespacesAndNewlines))
            return trimmed.isEmpty ? nil : trimmed
        default: throw ListenBrainzError("track_metadata.release_name must be a single string.")
        }
    }

    private static func info(in members: [JSONNode.Member]) throws(ListenBrainzError) -> [JSONNode.Member] {
        guard let member = members.first(where: { $0.name == "additional_info" }) else { return [] }
        switch member.value.value {
        case .null: return []
        case .object(let members): return members
        default: throw ListenBrainzError("track_metadata.additional_info must be a JSON object.")
        }
    }

    /// In milliseconds.
    private static func duration(in info: [JSONNode.Member]) throws(ListenBrainzError) -> Int? {
        let seconds = info.first { $0.name == "duration" && !$0.value.isNull }
        let milliseconds = info.first { $0.name == "duration_ms" && !$0.value.isNull }
        guard seconds == nil || milliseconds == nil else {
            throw ListenBrainzError("JSON document should not contain both duration and duration_ms.")
        }
        guard let member = milliseconds ?? seconds else { return nil }
        let unit = milliseconds == nil ? 1_000 : 1
        guard let number = whole(member.value, in: 1...Int.max) else {
            throw ListenBrainzError("Value for \(member.name) is invalid, should be a positive integer.")
        }
        guard number <= longestSeconds * 1_000 / unit else {
            throw ListenBrainzError(
                "Value for \(member.name) is too high, should be less than \(longestSeconds * 1_000 / unit).")
        }
        return number * unit
    }

    private static func checkTags(in info: [JSONNode.Member]) throws(ListenBrainzError) {
        guard let member = info.first(where: { $0.name == "tags" }), case .array(let tags) = member.value.value else {
            return
        }
        guard tags.count <= mostTags else {
            throw ListenBrainzError("JSON document may only contain up to \(mostTags) tags per listen.")
        }
        for tag in tags {
            guard case .string(let text) = tag.value else { continue }
            guard text.unicodeScalars.count <= longestTag else {
                throw ListenBrainzError(
                    "JSON document may not contain track_metadata.additional_info.tags longer than "
                        + "\(longestTag) characters.")
            }
        }
    }

    /// The ids of MusicBrainz under a name. Empty ones count as missing.
    private static func ids(_ name: String, in info: [JSONNode.Member]) throws(ListenBrainzError) -> [String] {
        guard let member = info.first(where: { $0.name == name }) else { return [] }
        let nodes: [JSONNode]
        if case .array(let elements) = member.value.value { nodes = elements } else { nodes = [member.value] }
        var found: [String] = []
        for node in nodes where !node.isNull {
            guard case .string(let text) = node.value else { throw ListenBrainzError("\(name) MBID format invalid.") }
            if text.isEmpty { continue }
            guard UUID(uuidString: text) != nil else { throw ListenBrainzError("\(name) MBID format invalid.") }
            found.append(text)
        }
        return found
    }

    private static func string(_ name: String, in info: [JSONNode.Member]) -> String? {
        guard let member = info.first(where: { $0.name == name }), case .string(let text) = member.value.value else {
            return nil
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The id in an address or URI of a track, or the id itself.
    private static func spotifyID(_ text: String) -> String? {
        let id = text.split(whereSeparator: { "/:".contains($0) }).last.map { $0.prefix { $0 != "?" } } ?? ""
        let isID =
            id.utf8.count == 22
            && id.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) }
        return isID ? String(id) : nil
    }

    /// A whole number, also one that is written as a string. A fraction of a number is rounded.
    ///
    /// - Returns: `nil` for anything else, and for a number outside `range`.
    static func whole(_ node: JSONNode, in range: ClosedRange<Int>) -> Int? {
        switch node.value {
        case .number(let text):
            Int(json: text, in: range)
                ?? Double(decimal: text, in: -1e15...1e15).flatMap { Int(rounding: $0, in: range) }
        case .string(let text): Int(decimal: text.trimmingCharacters(in: .whitespaces), in: range)
        default: nil
        }
    }
}

extension JSONNode {
    var isNull: Bool {
        if case .null = value { true } else { false }
    }
}
