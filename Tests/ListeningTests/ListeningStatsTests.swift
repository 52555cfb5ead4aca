import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import Listening

@Suite("Listening stats", .timeLimit(.minutes(5)))
struct ListeningStatsTests {
    private static let now = Timestamp(rfc3339: "2024-11-24T12:00:00Z")!

    private func columns(_ history: TestHistory, from former: ListenColumns = ListenColumns()) async throws
        -> ListenColumns
    {
        try await history.database.read { reader in
            var columns = former
            try reader.listening.update(&columns, userID: history.userID) { _ in [:] }
            return columns
        }
    }

    private func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    @Test(
        "Hours, weekdays and sums match a recount with the system's calendar",
        arguments: ["Europe/Berlin", "America/Sao_Paulo", "Asia/Kolkata", "Pacific/Apia", "UTC"])
    func sumsMatchARecount(name: String) async throws {
        let zone = try #require(TimeZone(identifier: name))
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            var random = SeededRandom(seed: 11)
            let start = try moment("2010-01-01T00:00:00Z").microseconds
            // A few years with changes of the clocks, of the rules and of the date line.
            let observations = (0..<1_200).map { _ in
                let song = Int.random(in: 0..<40, using: &random)
                return NewObservation(
                    source: .listenBrainz,
                    song: SongDescription(
                        title: "Song \(song)", artist: "Artist \(song % 7)", album: "Album \(song % 11)"),
                    time: Timestamp(
                        microseconds: start + Int64.random(in: 0..<470_000_000, using: &random) * 1_000_000),
                    playedMilliseconds: Int.random(in: 30_000...400_000, using: &random))
            }
            for start in stride(from: 0, to: observations.count, by: 200) {
                try await history.record(Array(observations[start..<min(start + 200, observations.count)]))
            }
            let listens = try await history.listens()
            let columns = try await columns(history)
            var calendar = Calendar(identifier: .iso8601)
            calendar.timeZone = zone
            let ranges: [StatsRange] = try [
                StatsRange(.all, in: zone, at: Self.now), StatsRange(.year, in: zone, at: Self.now),
                StatsRange(.month, in: zone, at: Self.now), StatsRange(.week, in: zone, at: Self.now),
                #require(
                    StatsRange(
                        from: try moment("2011-12-20T10:00:00Z"), to: try moment("2012-04-05T00:30:00Z"), in: zone)),
            ]
            for range in ranges {
                let stats = columns.stats(of: range, limit: 200, at: Self.now)
                let inRange = listens.filter {
                    range.seconds?.contains($0.startedAt.microseconds / 1_000_000) ?? true
                }
                #expect(stats.listens == inRange.count)
                #expect(stats.milliseconds == inRange.reduce(0) { $0 + ($1.playedMilliseconds ?? 0) })
                var (hours, days) = ([Int](repeating: 0, count: 24), [Int](repeating: 0, count: 7))
                for listen in inRange {
                    let date = Date(timeIntervalSince1970: Double(listen.startedAt.microseconds) / 1_000_000)
                    hours[calendar.component(.hour, from: date)] += 1
                    days[(calendar.component(.weekday, from: date) + 5) % 7] += 1
                }
                #expect(stats.byHour == hours && stats.byWeekday == days)
                let bySong = Dictionary(grouping: inRange) { $0.song.title + $0.song.artist }
                #expect(Set(stats.songs.map(\.listens)) == Set(bySong.values.map(\.count)))
                #expect(stats.songs.map(\.listens) == stats.songs.map(\.listens).sorted(by: >))
                #expect(stats.artists.reduce(0) { $0 + $1.listens } == inRange.count)
                #expect(stats.songs.count == bySong.count)
                let top = columns.stats(of: range, limit: 3, at: Self.now)
                #expect(top.songs == Array(stats.songs.prefix(3)) && top.artists == Array(stats.artists.prefix(3)))
            }
        }
    }

    @Test("A day of 23 hours is one day of a streak, and yesterday's streak still counts")
    func lengthsOfStreaks() async throws {
        try await withDatabase { database, _ in
            let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
            let history = try await TestHistory.new(in: database)
            // Clocks went forward on 31 March 2024.
            let times = [
                "2024-03-29T22:59:00Z", "2024-03-30T23:30:00Z", "2024-03-31T21:59:00Z", "2024-04-01T22:30:00Z",
                "2024-04-05T10:00:00Z", "2024-04-06T10:00:00Z",
            ]
            try await history.record(
                try times.map {
                    NewObservation(
                        source: .lastfm, song: SongDescription(title: "One", artist: "Ada"), time: try moment($0))
                })
            let columns = try await columns(history)
            func streaks(_ now: String) throws -> [Int] {
                let now = try moment(now)
                let stats = columns.stats(of: StatsRange(.all, in: zone, at: now), limit: 1, at: now)
                return [stats.currentStreak, stats.longestStreak]
            }
            // The local days are March 29, 31 and 31, and April 2, 5 and 6.
            #expect(try streaks("2024-04-07T10:00:00Z") == [2, 2])
            #expect(try streaks("2024-04-08T10:00:00Z") == [0, 2])
            let first = try #require(StatsRange.start(of: LocalDate(year: 2024, month: 3, day: 31)!, in: zone))
            let next = try #require(StatsRange.start(of: LocalDate(year: 2024, month: 4, day: 1)!, in: zone))
            #expect(first.duration(to: next) == .seconds(23 * 3_600))
        }
    }

    @Test("Listens at impossible times do not count in stats, streaks or histories")
    func impossibleTimes() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            let times = [
                "1970-01-01T00:00:01Z", "1970-01-02T00:00:01Z", "1970-01-03T00:00:01Z", "2002-09-30T23:59:59Z",
                "2002-10-01T00:00:00Z", "2024-11-23T10:00:00Z", "2024-11-25T11:59:59Z", "2024-11-25T12:00:00Z",
                "2060-01-01T00:00:00Z",
            ]
            try await history.record(
                try times.enumerated().map {
                    NewObservation(
                        source: .lastfm, song: SongDescription(title: "Song \($0)", artist: "Ada"), time: try moment($1)
                    )
                })
            let columns = try await columns(history)
            let stats = columns.stats(of: StatsRange(.all, in: .gmt, at: Self.now), limit: 99, at: Self.now)
            #expect(stats.listens == 3 && stats.songs.map(\.name).sorted() == ["Song 4", "Song 5", "Song 6"])
            #expect(stats.currentStreak == 1 && stats.longestStreak == 1 && stats.discoveries == 3)
            let before = try #require(
                StatsRange(from: try moment("1960-01-01T00:00:00Z"), to: try moment("1980-01-01T00:00:00Z"), in: .gmt))
            #expect(columns.stats(of: before, limit: 99, at: Self.now).listens == 0)
            #expect(columns.history(of: .artist("Ada"), in: .gmt, at: Self.now).listens == 3)
            #expect(columns.firstSecond(at: Self.now) == 1_033_430_400)
            let bounds = try await database.read { try $0.listening.bounds(userID: history.userID, at: Self.now) }
            #expect(try bounds?.first == moment(times[4]) && bounds?.last == moment(times[6]))
        }
    }

    @Test("The listens in memory follow new, deleted and moved listens, month by month")
    func incrementalListens() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            var random = SeededRandom(seed: 5)
            var kept = ListenColumns()
            let range = StatsRange(.all, in: .gmt, at: Self.now)
            for round in 0..<12 {
                try await history.record(
                    (0..<20).map { _ in
                        let song = Int.random(in: 0..<9, using: &random)
                        return .play(
                            "Song \(song)", at: Double.random(in: 0..<9_000_000, using: &random).rounded(),
                            [.listenBrainz, .spotifyHistory, .lastfm].randomElement(using: &random)!)
                    })
                if round % 4 == 3 { try await history.remove(.source(.lastfm)) }
                if let one = try await history.listens().randomElement(using: &random) {
                    _ = try await database.write {
                        try $0.listening.deleteListen(one.id, userID: history.userID, now: .now())
                    }
                }
                kept = try await columns(history, from: kept)
                let fresh = try await columns(history)
                let (left, right) = (
                    kept.stats(of: range, limit: 99, at: Self.now), fresh.stats(of: range, limit: 99, at: Self.now)
                )
                #expect(left.listens == right.listens && left.byHour == right.byHour)
                #expect(left.songs.map(\.listens) == right.songs.map(\.listens))
                #expect(try await left.listens == database.read { try $0.listening.count(userID: history.userID) })
            }
        }
    }

    @Test("The history with an artist has the first and last time, and months in the person's time zone")
    func artistHistory() async throws {
        try await withDatabase { database, _ in
            let history = try await TestHistory.new(in: database)
            try await history.record(
                try ["2024-01-31T23:30:00Z", "2024-02-10T00:00:00Z", "2024-05-01T00:00:00Z"].map {
                    NewObservation(
                        source: .lastfm, song: SongDescription(title: "One", artist: "Beyoncé"), time: try moment($0),
                        playedMilliseconds: 60_000)
                })
            let columns = try await columns(history)
            let zone = try #require(TimeZone(identifier: "Europe/Prague"))
            let found = columns.history(of: .artist("BEYONCE"), in: zone, at: Self.now)
            #expect(found.listens == 3 && found.minutes == 3)
            #expect(found.months == [.init(name: "2024-02", listens: 2), .init(name: "2024-05", listens: 1)])
            #expect(found.first?.description.hasPrefix("2024-01-31T23:30") == true)
            #expect(columns.history(of: .artist("Nobody"), in: zone, at: Self.now).listens == 0)
        }
    }
}
