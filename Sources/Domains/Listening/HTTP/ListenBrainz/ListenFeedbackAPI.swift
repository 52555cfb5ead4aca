import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Listening
import Model
import Storage

/// Feedback on recordings in the ListenBrainz API: which ones a person loves, and which ones they hate.
struct ListenFeedbackAPI: Sendable {
    private static let standardCount = 25
    private static let maximumCount = 1_000
    private static let farthestOffset = 1 << 20
    /// The most recordings that one request may ask about.
    private static let mostAsked = 1_000

    let database: Database
    let playing: PlayingNow
    let now: @Sendable () -> Timestamp

    /// The methods of a path below `/1`; none for a path that does not exist.
    static func methods(of parts: [String]) -> [HTTPRequest.Method] {
        switch (parts.count, parts.count > 1 ? parts[1] : "", parts.last ?? "") {
        case (2, "recording-feedback", _): [.post, .options]
        case (4, "user", "get-feedback"): [.get, .options]
        case (4, "user", "get-feedback-for-recordings"): [.get, .post, .options]
        case (4, "recording", "get-feedback"), (4, "recording", "get-feedback-mbid"): [.get, .options]
        default: []
        }
    }

    /// The name in a path that asks about a person.
    static func userName(in parts: [String]) -> String? {
        parts.count == 4 && parts[1] == "user" ? parts[2] : nil
    }

    // MARK: Giving

    /// Stores feedback. The body has one or both ids of a recording, and the score: 1 for loved, -1 for hated, 0 for
    /// neither.
    func setFeedback(_ bytes: [UInt8], user: UserRecord) async throws -> [UInt8] {
        let members = try ListenSubmission.members(of: bytes)
        let ids = try ["recording_msid", "recording_mbid"].map { name throws(ListenBrainzError) in
            try Self.id(name, in: members)
        }
        guard let recording = RecordingFeedback.Recording(msid: ids[0], mbid: ids[1]),
            let given = members.first(where: { $0.name == "score" })
        else {
            throw ListenBrainzError(
                "JSON document must contain either recording_msid or recording_mbid, and score top level keys")
        }
        guard members.allSatisfy({ ["recording_msid", "recording_mbid", "score"].contains($0.name) }) else {
            throw ListenBrainzError(
                "JSON document may only contain recording_msid, recording_mbid and score top level keys")
        }
        guard let number = given.value.wholeNumber(in: -1...1) else {
            throw ListenBrainzError(
                "Invalid JSON document submitted: score: Score can have a value of 1, 0 or -1.")
        }
        let song = playing.song(userID: user.id)?.song
        let isStored = try await database.write { [now] transaction in
            try transaction.listening.setFeedback(
                RecordingFeedback.Score(rawValue: number), on: recording, playing: song, userID: user.id, now: now())
        }
        guard isStored else {
            throw ListenBrainzError(
                "You have given feedback on \(mostRecordingFeedback) recordings, the maximum. Remove some first.")
        }
        return ListenBrainzAPI.ok
    }

    private static func id(_ name: String, in members: [JSONNode.Member]) throws(ListenBrainzError) -> String? {
        guard let member = members.first(where: { $0.name == name }), !member.value.isBlank else { return nil }
        let elements = member.value.elements
        let node = elements.count == 1 ? elements[0] : member.value
        guard let text = node.lenientText, let id = RecordingID.canonical(text) else {
            throw ListenBrainzError(
                "Invalid JSON document submitted: \(name): \(ListenBrainzAPI.text(member.value)) is not a valid UUID.")
        }
        return id
    }

    // MARK: Reading

    /// - Parameters:
    ///   - parts: the parts of a path that ``methods(of:)`` knows.
    ///   - body: the body of a `POST`.
    func answer(_ parts: [String], _ request: Request, _ body: [UInt8]?, of user: UserRecord) async throws -> [UInt8] {
        switch (parts[1], parts[3]) {
        case ("user", "get-feedback"): try await list(request, of: user)
        case ("user", _): try await forRecordings(request, body, of: user)
        case (_, let kind): try await ofRecording(parts[2], isMBID: kind == "get-feedback-mbid", request, of: user)
        }
    }

    private func list(_ request: Request, of user: UserRecord) async throws -> [UInt8] {
        let (count, offset, score) = try Self.page(request)
        let hasMetadata = request.parameter("metadata")?.lowercased() == "true"
        let page = try await database.read {
            try $0.listening.feedback(userID: user.id, score: score, offset: offset, limit: count)
        }
        return Self.write(page.items, total: page.total, offset: offset, hasMetadata: hasMetadata, user)
    }

    /// The person's feedback on one recording: other people's feedback is not shown here.
    private func ofRecording(
        _ text: String, isMBID: Bool, _ request: Request, of user: UserRecord
    ) async throws -> [UInt8] {
        guard let id = RecordingID.canonical(text) else {
            throw ListenBrainzError("\(text.prefix(100)) \(isMBID ? "mbid" : "msid") format invalid.")
        }
        let (count, offset, score) = try Self.page(request)
        let found = try await database.read {
            try $0.listening.feedback(msids: isMBID ? [] : [id], mbids: isMBID ? [id] : [], userID: user.id)
        }.filter { score == nil || $0.score == score }
        return Self.write(
            Array(found.dropFirst(offset).prefix(count)), total: found.count, offset: offset, hasMetadata: false, user)
    }

    private static func page(
        _ request: Request
    ) throws(ListenBrainzError) -> (count: Int, offset: Int, score: RecordingFeedback.Score?) {
        let count = min(try number("count", in: request) ?? standardCount, maximumCount)
        let offset = min(try number("offset", in: request) ?? 0, farthestOffset)
        guard let text = request.parameter("score"), !text.isEmpty, text != "0" else { return (count, offset, nil) }
        guard let score = Int(decimal: text, in: -1...1).flatMap(RecordingFeedback.Score.init) else {
            throw ListenBrainzError("Score can have a value of 1 or -1.")
        }
        return (count, offset, score)
    }

    private static func number(_ name: String, in request: Request) throws(ListenBrainzError) -> Int? {
        guard let text = request.parameter(name), !text.isEmpty else { return nil }
        guard let number = Int(decimal: text, in: 0...Int.max) else {
            throw ListenBrainzError("'\(name)' should be a non-negative integer")
        }
        return number
    }

    /// The feedback on each requested recording; 0 where there is none.
    private func forRecordings(_ request: Request, _ body: [UInt8]?, of user: UserRecord) async throws -> [UInt8] {
        let members = try body.map { bytes throws(ListenBrainzError) in try ListenSubmission.members(of: bytes) }
        func ids(_ names: [String]) throws(ListenBrainzError) -> [String] {
            let texts =
                members.map { members in
                    members.filter { names.contains($0.name) }.flatMap { Self.texts(in: $0.value) }
                } ?? names.lazy.compactMap { request.parameter($0) }.first.map { Self.parts(of: $0) } ?? []
            return try texts.map { text throws(ListenBrainzError) in
                guard let id = RecordingID.canonical(text) else {
                    throw ListenBrainzError("Invalid JSON document submitted: \(text.prefix(100)) is not a valid UUID.")
                }
                return id
            }
        }
        let (msids, mbids) = (try ids(["recording_msids", "recordings"]), try ids(["recording_mbids"]))
        guard !(msids.isEmpty && mbids.isEmpty) else {
            throw ListenBrainzError("No valid recording msid or recording mbid found.")
        }
        guard msids.count + mbids.count <= Self.mostAsked else {
            throw ListenBrainzError("Ask about at most \(Self.mostAsked) recordings in one request.")
        }
        let found = try await database.read {
            try $0.listening.feedback(msids: msids, mbids: mbids, userID: user.id)
        }
        var (byMSID, byMBID): ([String: RecordingFeedback], [String: RecordingFeedback]) = ([:], [:])
        for one in found {
            if let msid = one.recording.msid { byMSID[msid] = one }
            if let mbid = one.recording.mbid { byMBID[mbid] = one }
        }
        let asked: [(msid: String?, mbid: String?, known: RecordingFeedback?)] =
            msids.map { ($0, nil, byMSID[$0]) } + mbids.map { (nil, $0, byMBID[$0]) }
        return JSONWriter.object { json in
            json.member("feedback") { json in
                json.array(asked) { json, one in
                    json.object { json in
                        Self.write(
                            msid: one.known?.recording.msid ?? one.msid, mbid: one.known?.recording.mbid ?? one.mbid,
                            one.known, metadata: nil, user, to: &json)
                    }
                }
            }
        }
    }

    private static func texts(in node: JSONNode) -> [String] {
        node.elements.compactMap(\.lenientText).flatMap(parts)
    }

    private static func parts(of text: String) -> [String] {
        text.split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
    }

    // MARK: Answers

    private static func write(
        _ items: [RecordingFeedback], total: Int, offset: Int, hasMetadata: Bool, _ user: UserRecord
    ) -> [UInt8] {
        JSONWriter.object { json in
            json.member("count", items.count)
            json.member("feedback") { json in
                json.array(items) { json, one in
                    json.object { json in
                        write(
                            msid: one.recording.msid, mbid: one.recording.mbid, one,
                            metadata: hasMetadata ? one.song : nil, user, to: &json)
                    }
                }
            }
            json.member("offset", offset)
            json.member("total_count", total)
        }
    }

    private static func write(
        msid: String?, mbid: String?, _ feedback: RecordingFeedback?, metadata: SongDescription?, _ user: UserRecord,
        to json: inout JSONWriter
    ) {
        json.member("created", feedback.map { Int($0.createdAt.microseconds / 1_000_000) })
        json.member("recording_mbid", mbid)
        json.member("recording_msid", msid)
        json.member("score", feedback?.score.rawValue ?? 0)
        json.member("track_metadata") { json in
            guard let metadata else { return json.raw("null") }
            json.object { json in
                json.member("artist_name", metadata.artist)
                json.member("track_name", metadata.title)
                if let album = metadata.album { json.member("release_name", album) }
            }
        }
        json.member("user_id", user.name)
    }
}
