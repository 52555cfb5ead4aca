import Foundation
import Gateway
import Listening
import Model

/// The `track_metadata` of a listen, checked by the rules of ListenBrainz.
struct ListenMetadata {
    let song: SongDescription
    /// How long it was played, if the program reports that.
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
        var replaced: [String: [UInt8]?] = [:]
        for name in Self.singleIDs where info.contains(where: { $0.name == name }) {
            replaced[name] = .some(try Self.ids(name, in: info).first.map(JSONWriter.text))
        }
        for name in Self.idLists where info.contains(where: { $0.name == name }) {
            let ids = try Self.ids(name, in: info)
            replaced[name] = .some(ids.isEmpty ? nil : JSONWriter.list(ids))
        }
        if let duration { replaced[duration.name] = Array(String(duration.count).utf8) }
        song = SongDescription(
            title: title, artist: artist, album: album, durationMilliseconds: duration?.milliseconds,
            isrc: Self.string("isrc", in: info).flatMap(SongText.isrc),
            recordingMBID: try Self.ids("recording_mbid", in: info).first,
            spotifyID: Self.string("spotify_id", in: info).flatMap(Self.spotifyID))
        playedMilliseconds = info.first { $0.name == "duration_played" }
            .flatMap { $0.value.wholeNumber(in: 0...Self.longestSeconds) }.map { $0 * 1_000 }
        client = (Self.string("submission_client", in: info) ?? Self.string("listening_from", in: info))
            .map(SongText.program).flatMap { $0.isEmpty ? nil : $0 }
        details = try FlatJSON.text(of: info, in: document, replacing: replaced)
    }

    /// The JSON as it was sent, for the song that is playing.
    var json: String {
        let bytes = JSONWriter.object { json in
            json.member("artist_name", song.artist)
            json.member("track_name", song.title)
            if let album = song.album { json.member("release_name", album) }
            json.member("additional_info", raw: details ?? "{}")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func text(_ name: String, in members: [JSONNode.Member]) throws(ListenBrainzError) -> String {
        guard let member = members.first(where: { $0.name == name }) else {
            throw ListenBrainzError("JSON document does not contain required field track_metadata.\(name).")
        }
        guard let text = member.value.lenientText else {
            throw ListenBrainzError("track_metadata.\(name) must be a single string.")
        }
        let trimmed = Self.name(text)
        guard !trimmed.isEmpty else { throw ListenBrainzError("field track_metadata.\(name) is empty.") }
        return trimmed
    }

    private static func album(in members: [JSONNode.Member]) throws(ListenBrainzError) -> String? {
        guard let member = members.first(where: { $0.name == "release_name" }), !member.value.isBlank
        else { return nil }
        guard let text = member.value.lenientText else {
            throw ListenBrainzError("track_metadata.release_name must be a single string.")
        }
        let trimmed = Self.name(text)
        return trimmed.isEmpty ? nil : trimmed
    }

    /// The text without blanks at its ends, including blanks that were next to control characters.
    private static func name(_ text: String) -> String {
        SongText.name(text.trimmingCharacters(in: .whitespacesAndNewlines))
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func info(in members: [JSONNode.Member]) throws(ListenBrainzError) -> [JSONNode.Member] {
        guard let member = members.first(where: { $0.name == "additional_info" }) else { return [] }
        guard let members = member.value.lenientMembers else {
            throw ListenBrainzError("track_metadata.additional_info must be a JSON object.")
        }
        return members
    }

    /// A song's length, as a member of `additional_info` gives it.
    private struct Length {
        var name: String
        /// The length in the member's unit.
        var count: Int
        var milliseconds: Int
    }

    private static func duration(in info: [JSONNode.Member]) throws(ListenBrainzError) -> Length? {
        let units = ["duration": 1_000, "duration_ms": 1]
        let members = info.filter { units[$0.name] != nil }
        guard members.count < 2 else {
            throw ListenBrainzError("JSON document should not contain both duration and duration_ms.")
        }
        guard let member = members.first, let unit = units[member.name] else { return nil }
        guard let count = member.value.wholeNumber(in: 1...Int.max) else {
            throw ListenBrainzError("Value for \(member.name) is invalid, should be a positive integer.")
        }
        let most = longestSeconds * 1_000 / unit
        guard count <= most else {
            throw ListenBrainzError("Value for \(member.name) is too large, max permitted value is \(most)")
        }
        return Length(name: member.name, count: count, milliseconds: count * unit)
    }

    private static func checkTags(in info: [JSONNode.Member]) throws(ListenBrainzError) {
        let tags = info.first { $0.name == "tags" }?.value.elements ?? []
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

    /// The ids of MusicBrainz under a name, in one form. Blank ones count as missing.
    private static func ids(_ name: String, in info: [JSONNode.Member]) throws(ListenBrainzError) -> [String] {
        var found: [String] = []
        for node in info.first(where: { $0.name == name })?.value.elements ?? [] where !node.isBlank {
            guard case .string(let text) = node.value,
                let id = RecordingID.canonical(text.trimmingCharacters(in: .whitespacesAndNewlines))
            else { throw ListenBrainzError("\(name) MBID format invalid.") }
            found.append(id)
        }
        return found
    }

    private static func string(_ name: String, in info: [JSONNode.Member]) -> String? {
        let text = info.first { $0.name == name }?.value.lenientText
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The id in an address or URI of a track, or the id itself.
    private static func spotifyID(_ text: String) -> String? {
        let id = text.split(whereSeparator: { "/:".contains($0) }).last.map { $0.prefix { $0 != "?" } } ?? ""
        let isID =
            id.utf8.count == 22
            && id.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) }
        return isID ? String(id) : nil
    }
}

extension JSONWriter {
    fileprivate static func text(_ text: String) -> [UInt8] {
        var json = JSONWriter(reserving: text.utf8.count + 2)
        json.value(text)
        return json.bytes
    }

    fileprivate static func list(_ texts: [String]) -> [UInt8] {
        var json = JSONWriter()
        json.array(texts) { $0.value($1) }
        return json.bytes
    }
}
