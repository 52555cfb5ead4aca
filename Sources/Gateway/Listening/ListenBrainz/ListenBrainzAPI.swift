import Accounts
import HTTPTypes
import Hummingbird
import Listening
import Model
import Storage

/// What the ListenBrainz API answers (docs/listening.md).
struct ListenBrainzAPI: Sendable {
    private static let standardCount = 25
    private static let maximumCount = 1_000
    private static let recorded = 250

    let database: Database
    let playing: PlayingNow
    let stats: ListenBrainzStats
    let now: @Sendable () -> Timestamp

    private var seconds: Int { Int(now().microseconds / 1_000_000) }

    // MARK: Submitting

    func submit(_ bytes: [UInt8], wantsMSID: Bool, user: UserRecord) async throws -> [UInt8] {
        let submission = try ListenSubmission(bytes, now: seconds)
        guard submission.kind != .playingNow else { return play(submission.items[0], wantsMSID, user) }
        let observations = submission.observations
        _ = try await database.write { [now] transaction in
            for start in stride(from: 0, to: observations.count, by: Self.recorded) {
                _ = try transaction.listening.record(
                    Array(observations[start..<min(start + Self.recorded, observations.count)]), userID: user.id,
                    now: now())
            }
        }
        for item in submission.items {
            playing.clear(title: item.metadata.song.title, artist: item.metadata.song.artist, userID: user.id)
        }
        return Self.ok
    }

    private func play(_ item: ListenSubmission.Item, _ wantsMSID: Bool, _ user: UserRecord) -> [UInt8] {
        let song = item.metadata.song
        playing.set(
            PlayingNow.Song(
                title: song.title, artist: song.artist, album: song.album, client: item.metadata.client,
                metadata: item.text,
                until: playing.moment(after: song.durationMilliseconds.map { .milliseconds($0) })),
            userID: user.id)
        guard wantsMSID else { return Self.ok }
        return JSONWriter.object { json in
            json.member("status", "ok")
            json.member("recording_msid", ListenAnswers.msid(song))
        }
    }

    static let ok = JSONWriter.object { $0.member("status", "ok") }

    func endPlaying(_ user: UserRecord) -> [UInt8] {
        playing.clear(userID: user.id)
        return Self.ok
    }

    /// Deletes the listen of a moment. Also without such a listen the answer is "ok", as at ListenBrainz.
    func delete(_ bytes: [UInt8], user: UserRecord) async throws -> [UInt8] {
        let members = try ListenSubmission.members(of: bytes)
        guard let time = members.first(where: { $0.name == "listened_at" }) else {
            throw ListenBrainzError("Listen timestamp missing.")
        }
        guard let seconds = ListenMetadata.whole(time.value), abs(seconds) < 1 << 40 else {
            throw ListenBrainzError("\(Self.text(time.value)): Listen timestamp invalid.")
        }
        guard case .string(let msid)? = members.first(where: { $0.name == "recording_msid" })?.value.value else {
            throw ListenBrainzError("Recording MSID missing.")
        }
        guard UUIDv7.isWellFormed(msid.lowercased()) else {
            throw ListenBrainzError("\(msid.prefix(100)): Recording MSID format invalid.")
        }
        let moment = Timestamp(microseconds: Int64(seconds) * 1_000_000)
        _ = try await database.write { [now] transaction in
            let found = try transaction.listening.listens(
                userID: user.id, from: moment, to: moment.advanced(by: .seconds(1)), limit: Self.maximumCount)
            for listen in found.items where ListenAnswers.msid(listen.song) == msid.lowercased() {
                _ = try transaction.listening.deleteListen(listen.id, userID: user.id, now: now())
            }
        }
        return Self.ok
    }

    private static func text(_ node: JSONNode) -> String {
        switch node.value {
        case .number(let text), .string(let text): String(text.prefix(100))
        default: node.kindName
        }
    }

    // MARK: Reading

    func listens(_ request: Request, of user: UserRecord) async throws -> [UInt8] {
        let count = try request.whole("count") ?? Self.standardCount
        guard count >= 0 else { throw ListenBrainzError("'count' should be a positive integer") }
        let (oldest, newest) = (try request.whole("min_ts"), try request.whole("max_ts"))
        if let oldest, let newest, newest <= oldest {
            throw ListenBrainzError("min_ts should be less than max_ts")
        }
        let limit = min(count, Self.maximumCount)
        let found = try await database.read { reader in
            let listening = reader.listening
            var items: [Listen] = []
            if limit > 0, let oldest, newest == nil {
                // The oldest of those after it, shown newest first.
                let start = Self.moment(oldest).advanced(by: .seconds(1)).advanced(by: .microseconds(-1))
                items = try listening.earliest(userID: user.id, after: (start, .max), limit: limit).reversed()
            } else if limit > 0 {
                items = try listening.listens(
                    userID: user.id, from: oldest.map { Self.moment($0).advanced(by: .seconds(1)) },
                    to: newest.map(Self.moment), limit: limit
                ).items
            }
            let last = try listening.listens(userID: user.id, limit: 1).items.first
            let first = try listening.earliest(
                userID: user.id, after: (Timestamp(microseconds: .min), 0), limit: 1
            ).first
            return (items, last, first)
        }
        let (items, last, first) = found
        return Self.payload { json in
            json.member("count", items.count)
            json.member("latest_listen_ts", last.map(ListenAnswers.seconds) ?? 0)
            json.member("oldest_listen_ts", first.map(ListenAnswers.seconds) ?? 0)
            json.member("listens") { json in
                json.array(items) { ListenAnswers.write($1, user: user.name, to: &$0) }
            }
            json.member("user_id", user.name)
        }
    }

    /// Moments that are farther away than any listen are taken as near enough to be computed with.
    private static func moment(_ seconds: Int) -> Timestamp {
        Timestamp(microseconds: Int64(max(-1 << 40, min(seconds, 1 << 40))) * 1_000_000)
    }

    func listenCount(of user: UserRecord) async throws -> [UInt8] {
        let count = try await database.read { try $0.listening.count(userID: user.id) }
        return Self.payload { $0.member("count", count) }
    }

    func playingNow(of user: UserRecord) -> [UInt8] {
        let song = playing.song(userID: user.id)
        return Self.payload { json in
            json.member("count", song == nil ? 0 : 1)
            json.member("listens") { json in
                json.array([song].compactMap(\.self)) { json, song in
                    json.object { json in
                        json.member("playing_now", true)
                        json.member("track_metadata", raw: song.metadata)
                    }
                }
            }
            json.member("playing_now", true)
            json.member("user_id", user.name)
        }
    }

    // MARK: Imports by other programs

    func latestImport(_ request: Request, of user: UserRecord) async throws -> [UInt8] {
        let service = request.service(request.parameter("service"))
        let latest = try await database.read { try $0.listening.latestImport(from: service, userID: user.id) }
        return JSONWriter.object { json in
            json.member("musicbrainz_id", user.name)
            json.member("latest_import", latest)
        }
    }

    func noteImport(_ bytes: [UInt8], _ request: Request, user: UserRecord) async throws -> [UInt8] {
        let members = try ListenSubmission.members(of: bytes)
        guard let time = members.first(where: { $0.name == "ts" }), let latest = ListenMetadata.whole(time.value),
            (0..<(1 << 40)).contains(latest)
        else { throw ListenBrainzError("Invalid data sent") }
        var named: String?
        if case .string(let text)? = members.first(where: { $0.name == "service" })?.value.value { named = text }
        let service = request.service(named)
        try await database.write { [now] in
            try $0.listening.noteImport(until: latest, from: service, userID: user.id, now: now())
        }
        return Self.ok
    }

    static func payload(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.object { json in json.member("payload") { $0.object(members) } }
    }
}

extension Request {
    /// A whole number in the query; `nil` when it is missing.
    fileprivate func whole(_ name: String) throws(ListenBrainzError) -> Int? {
        guard let text = parameter(name), !text.isEmpty else { return nil }
        guard let number = Int(text) else { throw ListenBrainzError("Invalid \(name) argument: \(text.prefix(100))") }
        return number
    }

    fileprivate func service(_ name: String?) -> String {
        String((name ?? "lastfm").lowercased().unicodeScalars.prefix(50).map(Character.init))
    }
}
