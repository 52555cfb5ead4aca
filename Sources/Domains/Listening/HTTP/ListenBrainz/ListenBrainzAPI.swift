import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Listening
import Model
import Storage

/// The answers of the ListenBrainz API (docs/listening.md).
struct ListenBrainzAPI: Sendable {
    private static let standardCount = 25
    private static let maximumCount = 1_000
    /// The latest moment to compute with, in seconds since 1970: more than 34,000 years.
    private static let farthest = 1 << 40
    /// The listens of one second that are searched for one to delete, and how many of them by one read.
    private static let (mostSearched, searchedAtOnce) = (100_000, 10_000)

    let database: Database
    let playing: PlayingNow
    let quota: ListenQuota
    let stats: ListenBrainzStats
    let feedback: ListenFeedbackAPI
    let now: @Sendable () -> Timestamp

    private var seconds: Int { Int(now().microseconds / 1_000_000) }

    // MARK: Submitting

    /// Records listens in transactions of some hundred each, so that other people's writes do not wait for all of them.
    /// The answer comes after the last commit; a program that gets an error sends all of them again, and those that
    /// were recorded then count as repeats.
    ///
    /// - Parameter count: counts the listens against the person's limit.
    /// - Throws: ``ListenBrainzError``; `QuotaReached`, after which earlier transactions stay.
    func submit(
        _ bytes: [UInt8], wantsMSID: Bool, user: UserRecord, _ count: (Int) throws -> Void
    ) async throws -> [UInt8] {
        let submission = try ListenSubmission(bytes, now: seconds)
        try count(submission.items.count)
        guard submission.kind != .playingNow else { return play(submission.items[0], wantsMSID, user) }
        var remaining = submission.observations[...]
        while !remaining.isEmpty {
            let part = Array(remaining.prefix(mostRecordedListens))
            let taken = try await database.write { [now, quota] transaction in
                try transaction.listening.recordPart(of: part, userID: user.id, quota: quota, now: now()).taken
            }
            remaining = remaining.dropFirst(taken)
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
                song: song, client: item.metadata.client,
                metadata: item.metadata.json,
                until: playing.moment(after: song.durationMilliseconds.map { .milliseconds($0) })),
            userID: user.id)
        guard wantsMSID else { return Self.ok }
        return JSONWriter.object { json in
            json.member("status", "ok")
            json.member("recording_msid", song.msid)
        }
    }

    static let ok = JSONWriter.object { $0.member("status", "ok") }

    func endPlaying(_ user: UserRecord) -> [UInt8] {
        playing.clear(userID: user.id)
        return Self.ok
    }

    /// Deletes the listen of a moment. As at ListenBrainz, the answer is "ok" even if there is no such listen.
    ///
    /// - Throws: ``ListenBrainzError``, including when the moment has more listens than are searched.
    func delete(_ bytes: [UInt8], user: UserRecord) async throws -> [UInt8] {
        let members = try ListenSubmission.members(of: bytes)
        guard let time = members.first(where: { $0.name == "listened_at" }) else {
            throw ListenBrainzError("Listen timestamp missing.")
        }
        guard let seconds = time.value.wholeNumber(in: -Self.farthest...Self.farthest) else {
            throw ListenBrainzError("\(Self.text(time.value)): Listen timestamp invalid.")
        }
        guard case .string(let msid)? = members.first(where: { $0.name == "recording_msid" })?.value.value else {
            throw ListenBrainzError("Recording MSID missing.")
        }
        guard UUIDv7.isWellFormed(msid.lowercased()) else {
            throw ListenBrainzError("\(msid.prefix(100)): Recording MSID format invalid.")
        }
        let moment = Timestamp(microseconds: Int64(seconds) * 1_000_000)
        let (id, end) = (msid.lowercased(), moment.advanced(by: .seconds(1)))
        var last: (startedAt: Timestamp, id: LibraryID)?
        for _ in 0..<Self.mostSearched / Self.searchedAtOnce {
            // The search is outside of the write lock: a file may have thousands of listens of one second.
            let place = last
            let (found, next) = try await database.read { reader in
                let songs = try reader.listening.songs(
                    from: moment, to: end, after: place, userID: user.id, limit: Self.searchedAtOnce)
                let next =
                    songs.count == Self.searchedAtOnce ? songs.last.map { (startedAt: $0.startedAt, id: $0.id) } : nil
                return (songs.filter { $0.song.msid == id }.map(\.id), next)
            }
            for listen in found {
                _ = try await database.write { [now] transaction in
                    try transaction.listening.deleteListen(listen, userID: user.id, now: now())
                }
            }
            guard let next else { return Self.ok }
            last = next
        }
        throw ListenBrainzError(
            "More than \(Self.mostSearched) listens have this timestamp, and only that many were searched. Undo the "
                + "import that added them, or delete the listen in Backline.")
    }

    static func text(_ node: JSONNode) -> String {
        switch node.value {
        case .number(let text), .string(let text): String(text.prefix(100))
        default: node.kindName
        }
    }

    // MARK: Reading

    /// Whether a program may know a person by a name that is no longer theirs.
    func knows(_ user: UserRecord, by name: String) async throws -> Bool {
        guard !name.utf8.contains(0) else { return false }
        return try await database.read { [now] in
            try $0.accounts.knowsListener(user.id, by: name, now: now())
        }
    }

    func listens(_ request: Request, of user: UserRecord) async throws -> [UInt8] {
        let count = try request.whole("count") ?? Self.standardCount
        guard count >= 0 else { throw ListenBrainzError("'count' should be a positive integer") }
        let (oldest, newest) = (try request.whole("min_ts"), try request.whole("max_ts"))
        if let oldest, let newest, newest <= oldest {
            throw ListenBrainzError("min_ts should be less than max_ts")
        }
        let limit = min(count, Self.maximumCount)
        let found = try await database.read { [now] reader in
            let listening = reader.listening
            var items: [Listen] = []
            if limit > 0, let oldest, newest == nil {
                // These are the oldest listens after that moment, shown newest first.
                let start = Self.moment(oldest).advanced(by: .seconds(1)).advanced(by: .microseconds(-1))
                items = try listening.earliest(userID: user.id, after: (start, .max), limit: limit).reversed()
            } else if limit > 0 {
                items = try listening.listens(
                    userID: user.id, from: oldest.map { Self.moment($0).advanced(by: .seconds(1)) },
                    to: newest.map(Self.moment), limit: limit
                ).items
            }
            return (items, try listening.bounds(userID: user.id, at: now()))
        }
        let (items, bounds) = found
        return Self.payload { json in
            json.member("count", items.count)
            json.member("latest_listen_ts", bounds.map { ListenAnswers.seconds($0.last) } ?? 0)
            json.member("oldest_listen_ts", bounds.map { ListenAnswers.seconds($0.first) } ?? 0)
            json.member("listens") { json in
                json.array(items) { ListenAnswers.write($1, user: user.name, to: &$0) }
            }
            json.member("user_id", user.name)
        }
    }

    /// Moments that are farther away than any listen are moved near enough to be computed with.
    private static func moment(_ seconds: Int) -> Timestamp {
        Timestamp(microseconds: Int64(clamping: seconds, to: Int64(-farthest)...Int64(farthest)) * 1_000_000)
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

    func recordImport(_ bytes: [UInt8], _ request: Request, user: UserRecord) async throws -> [UInt8] {
        let members = try ListenSubmission.members(of: bytes)
        guard let time = members.first(where: { $0.name == "ts" }),
            let latest = time.value.wholeNumber(in: 0...Self.farthest)
        else { throw ListenBrainzError("Invalid data sent") }
        var named: String?
        if case .string(let text)? = members.first(where: { $0.name == "service" })?.value.value { named = text }
        let service = request.service(named)
        let isNoted = try await database.write { [now] in
            try $0.listening.recordImport(until: latest, from: service, userID: user.id, now: now())
        }
        guard isNoted else {
            throw ListenBrainzError(
                "Imports from \(mostImportServices) services are already recorded. Name one of them.")
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
        guard let number = Int(decimal: text, in: Int.min...Int.max) else {
            throw ListenBrainzError("Invalid \(name) argument: \(text.prefix(100))")
        }
        return number
    }

    fileprivate func service(_ name: String?) -> String {
        String((name ?? "lastfm").lowercased().unicodeScalars.prefix(50).map(Character.init))
    }
}
