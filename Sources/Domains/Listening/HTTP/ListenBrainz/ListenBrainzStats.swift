import Accounts
import Foundation
import Gateway
import Hummingbird
import Listening
import Model
import Storage

/// The statistics of the ListenBrainz API, in UTC. An empty answer (status 204) means no listens in the period.
struct ListenBrainzStats: Sendable {
    static let kinds: Set<String> = [
        "artists", "recordings", "releases", "release-groups", "listening-activity", "daily-activity",
    ]

    /// The periods of the API. A name without `this` is the period before the present one.
    private enum Period: String {
        case thisWeek = "this_week"
        case thisMonth = "this_month"
        case thisYear = "this_year"
        case week, month, quarter, year
        case halfYear = "half_yearly"
        case all = "all_time"
    }

    /// A period, in seconds since 1970.
    private struct Span {
        var now: Range<Int64>
        var before: Range<Int64>
        /// The parts for which listening activity gives the numbers.
        var parts: Calendar.Component
        /// The format of such a part's name.
        var format: String
    }

    private static let standardCount = 25
    private static let maximumCount = 1_000
    private static let weekdays: [StaticString] = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    let database: Database
    let cache: ListenColumnsCache
    let now: @Sendable () -> Timestamp

    func answer(_ kind: String, _ request: Request, of user: UserRecord) async throws -> [UInt8] {
        let name = request.parameter("range") ?? Period.all.rawValue
        guard let period = Period(rawValue: name) else { throw ListenBrainzError("Invalid range: \(name.prefix(100))") }
        let count = min(try Self.whole("count", of: request) ?? Self.standardCount, Self.maximumCount)
        let offset = min(try Self.whole("offset", of: request) ?? 0, 1 << 20)
        let time = now()
        return try await database.read { [cache] reader in
            let columns = try cache.columns(of: user.id, in: reader)
            let span = Self.span(of: period, at: time, first: columns.firstSecond(at: time) ?? 0)
            let whole = StatsRange(seconds: span.now, zone: .gmt)
            let stats = columns.stats(of: whole, limit: offset + max(count, 1), at: time)
            guard stats.listens > 0 else { return [] }
            return ListenBrainzAPI.payload { json in
                json.member("user_id", user.name)
                json.member("range", period.rawValue)
                json.member("from_ts", Int(span.now.lowerBound))
                json.member("to_ts", Int(span.now.upperBound))
                json.member("last_updated", Int(time.microseconds / 1_000_000))
                switch kind {
                case "listening-activity": Self.writeActivity(span, columns, to: &json)
                case "daily-activity": Self.writeDays(stats, to: &json)
                default: Self.writeTop(kind, stats, offset: offset, count: count, to: &json)
                }
            }
        }
    }

    private static func whole(_ name: String, of request: Request) throws(ListenBrainzError) -> Int? {
        guard let text = request.parameter(name) else { return nil }
        guard let number = Int(decimal: text, in: 0...Int.max) else {
            throw ListenBrainzError("'\(name)' should be a non-negative integer")
        }
        return number
    }

    // MARK: Times

    private static func span(of period: Period, at time: Timestamp, first: Int64) -> Span {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        let seconds = time.microseconds / 1_000_000
        let date = Date(timeIntervalSince1970: Double(seconds))
        func range(_ component: Calendar.Component, _ offset: Int, months: Int = 1) -> Range<Int64> {
            let start = calendar.dateInterval(of: component, for: date)?.start ?? date
            let step = component == .weekOfYear ? Calendar.Component.day : component == .year ? .year : .month
            let size = component == .weekOfYear ? 7 : component == .year ? 1 : months
            let begin = calendar.date(byAdding: step, value: offset * size, to: start) ?? start
            let end = calendar.date(byAdding: step, value: size, to: begin) ?? begin
            return Range(from: Int64(begin.timeIntervalSince1970), upTo: Int64(end.timeIntervalSince1970))
        }
        func span(_ component: Calendar.Component, _ offset: Int, months: Int = 1, _ parts: Calendar.Component) -> Span
        {
            Span(
                now: range(component, offset, months: months), before: range(component, offset - 1, months: months),
                parts: parts, format: parts == .day ? "EEEE dd MMMM yyyy" : "MMMM yyyy")
        }
        switch period {
        case .thisWeek: return span(.weekOfYear, 0, .day)
        case .week: return span(.weekOfYear, -1, .day)
        case .thisMonth: return span(.month, 0, .day)
        case .month: return span(.month, -1, .day)
        case .quarter: return span(.month, -1, months: 3, .month)
        case .halfYear: return span(.month, -1, months: 6, .month)
        case .thisYear: return span(.year, 0, .month)
        case .year: return span(.year, -1, .month)
        case .all:
            let start = calendar.dateInterval(of: .year, for: Date(timeIntervalSince1970: Double(first)))?.start ?? date
            let begin = Int64(start.timeIntervalSince1970)
            return Span(
                now: Range(from: begin, upTo: seconds + 1), before: begin..<begin, parts: .year, format: "yyyy")
        }
    }

    // MARK: Answers

    private static func writeTop(
        _ kind: String, _ stats: ListeningStats, offset: Int, count: Int, to json: inout JSONWriter
    ) {
        func write(
            _ name: StaticString, _ entries: [ListeningStats.Entry], total: Int, _ totalName: StaticString,
            _ members: (inout JSONWriter, ListeningStats.Entry) -> Void
        ) {
            let shown = entries.dropFirst(offset).prefix(count)
            json.member("count", shown.count)
            json.member("offset", offset)
            json.member(totalName, total)
            json.member(name) { json in
                json.array(shown) { json, entry in
                    json.object { json in
                        members(&json, entry)
                        json.member("listen_count", entry.listens)
                    }
                }
            }
        }
        switch kind {
        case "artists":
            write("artists", stats.artists, total: stats.artistCount, "total_artist_count") { json, entry in
                json.member("artist_name", entry.name)
                json.member("artist_mbid", raw: "null")
            }
        case "recordings":
            write("recordings", stats.songs, total: stats.songCount, "total_recording_count") { json, entry in
                json.member("track_name", entry.name)
                json.member("artist_name", entry.artist)
                json.member("recording_mbid", raw: "null")
                json.member("release_mbid", raw: "null")
            }
        case "release-groups":
            write("release_groups", stats.albums, total: stats.albumCount, "total_release_group_count") { json, entry in
                json.member("release_group_name", entry.name)
                json.member("artist_name", entry.artist)
                json.member("release_group_mbid", raw: "null")
            }
        default:
            write("releases", stats.albums, total: stats.albumCount, "total_release_count") { json, entry in
                json.member("release_name", entry.name)
                json.member("artist_name", entry.artist)
                json.member("release_mbid", raw: "null")
            }
        }
    }

    private static func writeActivity(_ span: Span, _ columns: ListenColumns, to json: inout JSONWriter) {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        let formatter = DateFormatter()
        (formatter.locale, formatter.timeZone) = (Locale(identifier: "en_US_POSIX"), .gmt)
        formatter.dateFormat = span.format
        var starts: [Int64] = []
        var date = Date(timeIntervalSince1970: Double(span.before.lowerBound))
        while Int64(date.timeIntervalSince1970) < span.now.upperBound, starts.count < 1_000 {
            starts.append(Int64(date.timeIntervalSince1970))
            date = calendar.date(byAdding: span.parts, value: 1, to: date) ?? .distantFuture
        }
        let counts = columns.counts(from: starts, to: span.now.upperBound)
        json.member("listening_activity") { json in
            json.array(starts.indices) { json, index in
                json.object { json in
                    let end = index + 1 < starts.count ? starts[index + 1] : span.now.upperBound
                    json.member("from_ts", Int(starts[index]))
                    json.member("to_ts", Int(end - 1))
                    json.member(
                        "time_range", formatter.string(from: Date(timeIntervalSince1970: Double(starts[index]))))
                    json.member("listen_count", counts[index])
                }
            }
        }
    }

    private static func writeDays(_ stats: ListeningStats, to json: inout JSONWriter) {
        json.member("daily_activity") { json in
            json.object { json in
                for (day, name) in weekdays.enumerated() {
                    let counts = stats.byHourOfWeek[(day * 24)..<(day * 24 + 24)]
                    json.member(name) { json in
                        json.array(counts.enumerated()) { json, hour in
                            json.object { json in
                                json.member("hour", hour.offset)
                                json.member("listen_count", hour.element)
                            }
                        }
                    }
                }
            }
        }
    }
}
