import Model
import Storage
import TestSupport
import Testing

@testable import JobStorage

@Suite("Domain schedules")
struct DomainScheduleTests {
    private func addUser(_ id: String, to database: Database) async throws {
        try await database.write {
            try $0.run("INSERT INTO users (id, name, name_key, created_at) VALUES (\(id), \(id), \(id), 0)")
        }
    }

    /// Advances due schedules; returns their people.
    private func due(_ database: Database, after seconds: Int, limit: Int = 100) async throws -> [String] {
        try await database.write { transaction in
            var random = SeededRandom(seed: 1)
            let now = noon + .seconds(seconds)
            return try transaction.jobs.advanceSchedules(now: now, limit: limit, using: &random).due.map(\.userID)
        }
    }

    @Test("A schedule is first due within its interval, then about every interval, and once when it is late")
    func dueTimes() async throws {
        try await withDatabase { database, _ in
            try await addUser("a", to: database)
            try await database.write {
                try $0.jobs.setSchedule(kind: "k", userID: "a", every: .seconds(1_000), now: noon)
            }
            var next = try #require(try await database.read { try $0.jobs.schedule(kind: "k", userID: "a") }).nextAt
            #expect(next >= noon && next < noon + .seconds(1_000))
            // Setting it again changes nothing.
            try await database.write {
                try $0.jobs.setSchedule(kind: "k", userID: "a", every: .seconds(1_000), now: noon + .seconds(5))
            }
            for missed in [0, 0, 7, 0] {
                let before = noon.duration(to: next).microseconds / 1_000_000
                if before > 0 { #expect(try await due(database, after: Int(before) - 1).isEmpty) }
                let later = Int(before) + 1 + missed * 1_000
                #expect(try await database.read { try $0.jobs.areSchedulesDue(now: noon + .seconds(later)) })
                #expect(try await due(database, after: later) == ["a"])
                #expect(try await due(database, after: later).isEmpty)
                let following = try #require(try await database.read { try $0.jobs.schedule(kind: "k", userID: "a") })
                    .nextAt
                let step = next.duration(to: following).microseconds / 1_000_000
                #expect(abs(Int(step) - (missed + 1) * 1_000) <= 21)
                next = following
            }
            try await database.write { try $0.jobs.removeSchedule(kind: "k", userID: "a") }
            #expect(try await database.read { try $0.jobs.schedule(kind: "k", userID: "a") } == nil)
            #expect(try await !database.read { try $0.jobs.areSchedulesDue(now: noon + .seconds(99_999)) })
        }
    }

    @Test("A schedule set while the clock was ahead is due within an interval from now, not at once")
    func clockSetBack() async throws {
        try await withDatabase { database, _ in
            try await addUser("a", to: database)
            let month = Duration.seconds(30 * 86_400)
            try await database.write {
                try $0.jobs.setSchedule(kind: "k", userID: "a", every: .seconds(60), now: noon + month)
            }
            #expect(try await database.read { try $0.jobs.areSchedulesDue(now: noon) })
            #expect(try await due(database, after: 0).isEmpty)
            let healed = try #require(try await database.read { try $0.jobs.schedule(kind: "k", userID: "a") })
            #expect(healed.nextAt >= noon && healed.nextAt <= noon + .seconds(60))
            #expect(try await due(database, after: 61) == ["a"])
        }
    }

    @Test("A shorter interval counts from now on, and a person's schedules are deleted with the person")
    func changedIntervals() async throws {
        try await withDatabase { database, _ in
            for user in ["a", "b"] {
                try await addUser(user, to: database)
                try await database.write {
                    try $0.jobs.setSchedule(kind: "k", userID: user, every: .seconds(86_400), now: noon)
                    try $0.jobs.setSchedule(kind: "l", userID: user, every: .seconds(86_400), now: noon)
                }
            }
            try await database.write { transaction in
                try transaction.jobs.setSchedule(kind: "k", userID: "a", every: .seconds(60), now: noon)
                try transaction.run("DELETE FROM users WHERE id = 'b'")
            }
            #expect(try await due(database, after: 60) == ["a"])
            let rows = try await database.read { try $0.rows("SELECT kind FROM domain_schedules ORDER BY kind") }
            #expect(try rows.map { try $0["kind"] as String } == ["k", "l"])
        }
    }

    @Test("Thousands of schedules set at once are spread over time, and checking them reads the ends of two indexes")
    func thousandsOfSchedules() async throws {
        try await withDatabase { database, _ in
            let count = 4_000
            try await database.write { transaction in
                for number in 0..<count {
                    let id = "u\(number)"
                    try transaction.run(
                        "INSERT INTO users (id, name, name_key, created_at) VALUES (\(id), \(id), \(id), 0)")
                    try transaction.jobs.setSchedule(kind: "k", userID: id, every: .seconds(4_000), now: noon)
                }
            }
            // About a tenth is due in each tenth of the interval.
            var early: [String] = []
            while true {
                let part = try await due(database, after: 400, limit: 150)
                early += part
                if part.isEmpty { break }
                #expect(part.count <= 150)
            }
            #expect(early.count > 250 && early.count < 550 && Set(early).count == early.count)
            #expect(try await !database.read { try $0.jobs.areSchedulesDue(now: noon + .seconds(400)) })
            let plan = try await database.read {
                try $0.plan(
                    of: """
                        SELECT (SELECT MIN(next_at) FROM domain_schedules) AS first_due,
                            (SELECT MAX(planned_at) FROM domain_schedules) AS last_planned
                        """)
            }
            let searches = plan.filter { $0.hasPrefix("SEARCH") && $0.contains("USING COVERING INDEX") }
            #expect(searches.count == 2, "\(plan)")
        }
    }
}
