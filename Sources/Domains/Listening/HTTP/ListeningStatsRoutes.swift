import Accounts
import Foundation
import Gateway
import Hummingbird
import Listening
import Model
import Storage
import Visibility

/// `/v1/listening/stats`, `/v1/listening/history`, and the stats of others, `/v1/users/{username}/stats`.
struct ListeningStatsRoutes {
    private static let longestArtist = 500

    let database: Database
    let cache: ListenColumnsCache
    let now: @Sendable () -> Timestamp

    func add(to group: RouterGroup<GatewayContext>) {
        group.get("listening/stats", use: stats)
        group.get("listening/history", use: history)
        group.get("users/:username/stats", use: statsOfPerson)
    }

    @Sendable private func stats(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let limit = try request.pageLimit(standard: 50, maximum: 200)
        let zone = try await Self.zone(of: userID, in: database)
        let range = try Self.range(of: request, in: zone, at: now())
        // This runs on a thread of the database's readers, since half a million listens take some milliseconds.
        let stats = try await database.read { [cache, now] reader in
            try cache.columns(of: userID, in: reader).stats(of: range, limit: limit, at: now())
        }
        return .cacheable(stats.json(in: zone), for: request)
    }

    @Sendable private func statsOfPerson(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let name = try context.username
        let limit = try request.pageLimit(standard: 50, maximum: 200)
        // One transaction decides what the viewer may see, and reads it.
        let stats = try await database.read { [cache, now] reader -> ListeningStats? in
            guard let viewer = try reader.visibility.viewer(userID: userID),
                let seen = try reader.accounts.profile(named: name, for: viewer, now: now()),
                seen.relation.canSee(.stats)
            else { return nil }
            let zone = Self.zone(of: seen.profile)
            let range = try Self.range(of: request, in: zone, at: now())
            return try cache.columns(of: seen.profile.id, in: reader).stats(of: range, limit: limit, at: now())
        }
        guard let stats else { throw Problem.noStats }
        return .cacheable(stats.json(in: nil), for: request)
    }

    @Sendable private func history(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let subject = try Self.subject(of: request)
        let zone = try await Self.zone(of: userID, in: database)
        let history = try await database.read { [cache, now] reader in
            try cache.columns(of: userID, in: reader).history(of: subject, in: zone, at: now())
        }
        let body = JSONWriter.object { json in
            json.member("listens", history.listens)
            json.member("minutes", history.minutes)
            json.member("firstListenedAt", history.first)
            json.member("lastListenedAt", history.last)
            json.member("months") { json in
                json.array(history.months) { json, month in
                    json.object { json in
                        json.member("month", month.name)
                        json.member("listens", month.listens)
                    }
                }
            }
        }
        return .cacheable(body, for: request)
    }

    private static func zone(of userID: String, in database: Database) async throws -> TimeZone {
        zone(of: try await database.read { try $0.accounts.profile(userID: userID) })
    }

    private static func zone(of profile: ProfileRecord?) -> TimeZone {
        profile?.timeZone.flatMap { TimeZone(identifier: $0) } ?? .gmt
    }

    /// `?period=`, or `?from=&to=`, each a local day or a moment.
    private static func range(of request: Request, in zone: TimeZone, at now: Timestamp) throws -> StatsRange {
        guard request.parameter("from") != nil || request.parameter("to") != nil else {
            let text = request.parameter("period") ?? StatsRange.Period.all.rawValue
            guard let period = StatsRange.Period(rawValue: text) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter,
                    "period: expected one of \(StatsRange.Period.allCases.map(\.rawValue).joined(separator: ", ")), "
                        + "found '\(text.prefix(40))'.", field: "period")
            }
            return StatsRange(period, in: zone, at: now)
        }
        guard request.parameter("period") == nil else {
            throw Problem.invalidRequest(
                code: .invalidParameter, "period: send either period, or 'from' and 'to', not both.", field: "period")
        }
        let from = try moment("from", of: request, in: zone) ?? Timestamp(microseconds: -62_000_000_000_000_000)
        let end =
            try moment("to", of: request, in: zone, isEnd: true)
            ?? Timestamp(
                microseconds: 250_000_000_000_000_000)
        guard let range = StatsRange(from: from, to: end, in: zone) else {
            throw Problem.invalidRequest(
                code: .invalidParameter, "to: expected a day or a time after 'from'.", field: "to")
        }
        return range
    }

    /// - Parameter isEnd: whether a day stands for its end, since the last day is included.
    private static func moment(
        _ name: String, of request: Request, in zone: TimeZone, isEnd: Bool = false
    ) throws -> Timestamp? {
        guard let text = request.parameter(name) else { return nil }
        guard let day = LocalDate(text) else {
            guard Timestamp(rfc3339: text.replacing(" ", with: "+")) != nil else {
                throw Problem.invalidRequest(
                    code: .invalidParameter,
                    "\(name): expected a day, such as 2026-11-20, or an RFC 3339 time, such as 2026-11-20T20:00:00Z, "
                        + "found '\(text.prefix(40))'.", field: name)
            }
            return try request.moment(name)
        }
        let wanted = isEnd ? LocalDate(dayNumber: day.dayNumber + 1) ?? day : day
        return StatsRange.start(of: wanted, in: zone)
    }

    private static func subject(of request: Request) throws -> ListeningHistory.Subject {
        switch (request.parameter("trackId"), request.parameter("artist")) {
        case (let text?, nil):
            guard let id = LibraryID(text) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter, "trackId: expected the id of a song, found '\(text.prefix(40))'.",
                    field: "trackId")
            }
            return .track(id)
        case (nil, let name?):
            guard !name.isEmpty, name.unicodeScalars.count <= longestArtist else {
                throw Problem.invalidRequest(
                    code: .invalidParameter,
                    "artist: expected a name with at most \(longestArtist) characters.", field: "artist")
            }
            return .artist(name)
        case (nil, nil):
            throw Problem.invalidRequest(
                code: .invalidParameter, "trackId: send a song's id as trackId, or an artist's name as artist.",
                field: "trackId")
        case (_?, _?):
            throw Problem.invalidRequest(
                code: .invalidParameter, "artist: send either trackId or artist, not both.",
                field: "artist")
        }
    }
}

extension Problem {
    /// Nobody learns from it whether a person does not exist, or does not show their stats.
    fileprivate static let noStats = Problem(
        .notFound, code: .notFound, title: "Not found",
        detail: "There is nobody with that name, or you may not see their stats.")
}

extension ListeningStats {
    /// - Parameter zone: `nil` in the stats of somebody else, whose time zone and library are their own.
    fileprivate func json(in zone: TimeZone?) -> [UInt8] {
        JSONWriter.object { json in
            json.member("listens", listens)
            json.member("minutes", minutes)
            Self.write("artists", artists, to: &json) { _, _ in }
            Self.write("songs", songs, to: &json) { json, entry in
                json.member("title", entry.name)
                json.member("artist", entry.artist)
                json.member("trackId", zone == nil ? nil : entry.trackID?.text)
            }
            Self.write("albums", albums, to: &json) { json, entry in json.member("artist", entry.artist) }
            Self.write("genres", genres, to: &json) { _, _ in }
            json.member("byHour") { json in json.array(byHour) { $0.raw(String($1)) } }
            json.member("byWeekday") { json in json.array(byWeekday) { $0.raw(String($1)) } }
            json.member("streaks") { json in
                json.object { json in
                    json.member("current", currentStreak)
                    json.member("longest", longestStreak)
                }
            }
            json.member("discoveries", discoveries)
            json.member("timeZone", zone?.identifier)
        }
    }

    private static func write(
        _ name: StaticString, _ entries: [Entry], to json: inout JSONWriter,
        _ members: (inout JSONWriter, Entry) -> Void
    ) {
        json.member(name) { json in
            json.array(entries) { json, entry in
                json.object { json in
                    json.member("name", entry.name)
                    members(&json, entry)
                    json.member("listens", entry.listens)
                    json.member("minutes", entry.minutes)
                }
            }
        }
    }
}
