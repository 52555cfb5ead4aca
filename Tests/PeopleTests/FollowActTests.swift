import Model
import Storage
import TestSupport
import Testing

@testable import People
@testable import Visibility

@Suite("Following and asking")
struct FollowActTests {
    private static let noon = SampleTown.noon

    @Test("A public profile is followed at once, one for followers by a request, and a private one not at all")
    func visibilities() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 4)
            try await town.setVisibility(.followers, of: 2)
            try await town.setVisibility(.private, of: 3)
            #expect(try await town.follow(1, by: 0) == FollowOutcome(state: .following, isFirst: true))
            #expect(try await town.follow(2, by: 0) == FollowOutcome(state: .requested, isFirst: true))
            #expect(try await !town.follows(0, 2), "a request gives no right")
            #expect(try await town.requests(to: 2) == [SampleTown.name(0)])
            await #expect(throws: PeopleRefusal.unknownPerson) { try await town.follow(3, by: 0) }
            await #expect(throws: PeopleRefusal.selfTarget) { try await town.follow(0, by: 0) }
            await #expect(throws: PeopleRefusal.unknownPerson) { try await town.follow(99, by: 0) }
            await #expect(throws: PeopleRefusal.unknownPerson) {
                try await town.act { try $0.follow(nil, by: SampleTown.name(0), now: Self.noon) }
            }
            // The same again changes nothing.
            #expect(try await town.follow(1, by: 0) == FollowOutcome(state: .following, isFirst: false))
            #expect(try await town.follow(2, by: 0) == FollowOutcome(state: .requested, isFirst: false))
            #expect(try await town.requests(to: 2) == [SampleTown.name(0)])
        }
    }

    @Test("A pair begins once, however often it unfollows and follows again")
    func beginnings() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 2)
            #expect(try await town.follow(1, by: 0).isFirst)
            for _ in 0..<3 {
                try await town.act { try $0.unfollow(SampleTown.name(1), by: SampleTown.name(0)) }
                #expect(try await !town.follow(1, by: 0).isFirst)
            }
            // The other direction is another pair.
            #expect(try await town.follow(0, by: 1).isFirst)
            // A request after a follow is not the first either.
            try await town.act { try $0.unfollow(SampleTown.name(1), by: SampleTown.name(0)) }
            try await town.setVisibility(.followers, of: 1)
            #expect(try await !town.follow(1, by: 0).isFirst)
            try await town.act { try $0.accept(SampleTown.name(0), by: SampleTown.name(1), now: Self.noon) }
            #expect(try await town.follows(0, 1))
        }
    }

    @Test("A request is accepted, declined or withdrawn, each of them once")
    func requests() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 4, visibility: .followers)
            let (host, guest) = (SampleTown.name(0), SampleTown.name(1))
            await #expect(throws: PeopleRefusal.unknownPerson) {
                try await town.act { try $0.accept(guest, by: host, now: Self.noon) }
            }
            try await town.follow(0, by: 1)
            for _ in 0..<2 {
                try await town.act { try $0.accept(guest, by: host, now: Self.noon) }
                #expect(try await town.follows(1, 0))
                #expect(try await town.requests(to: 0).isEmpty)
            }

            try await town.follow(0, by: 2)
            for _ in 0..<2 { try await town.act { try $0.decline(SampleTown.name(2), by: host) } }
            #expect(try await !town.follows(2, 0))
            #expect(try await town.requests(to: 0).isEmpty)
            #expect(try await town.follow(0, by: 2) == FollowOutcome(state: .requested, isFirst: false))

            for _ in 0..<2 { try await town.act { try $0.unfollow(host, by: SampleTown.name(2)) } }
            #expect(try await town.requests(to: 0).isEmpty)
            // Nobody accepts their own request.
            try await town.follow(0, by: 3)
            await #expect(throws: PeopleRefusal.unknownPerson) {
                try await town.act { try $0.accept(host, by: SampleTown.name(3), now: Self.noon) }
            }
            await #expect(throws: PeopleRefusal.selfTarget) {
                try await town.act { try $0.accept(host, by: host, now: Self.noon) }
            }
        }
    }

    @Test("A request to a profile that opens becomes a follow when it is sent again")
    func opened() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 2)
            try await town.setVisibility(.followers, of: 1)
            try await town.follow(1, by: 0)
            try await town.setVisibility(.public, of: 1)
            #expect(try await !town.follows(0, 1))
            #expect(try await town.follow(1, by: 0) == FollowOutcome(state: .following, isFirst: true))
            #expect(try await town.requests(to: 1).isEmpty)
        }
    }

    @Test("Whoever makes a profile private keeps the followers, who come back when it opens")
    func closedAndOpened() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 2)
            let (own, other) = (SampleTown.name(0), SampleTown.name(1))
            try await town.follow(1, by: 0)
            try await town.setVisibility(.private, of: 1)
            await #expect(throws: PeopleRefusal.unknownPerson) { try await town.follow(1, by: 0) }
            await #expect(throws: PeopleRefusal.unknownPerson) {
                try await town.act { try $0.unfollow(other, by: own) }
            }
            #expect(try await database.read { try !$0.visibility.canSee(.existence, of: other, as: own) })
            try await town.setVisibility(.followers, of: 1)
            #expect(try await database.read { try $0.visibility.canSee(.profile, of: other, as: own) })
            #expect(try await town.follow(1, by: 0).state == .following)
        }
    }

    @Test("Two devices that follow at the same moment make one follow, which counts once")
    func twoDevices() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 31)
            let outcomes = try await withThrowingTaskGroup(of: FollowOutcome.self) { group in
                for other in 1...30 {
                    for _ in 0..<2 { group.addTask { try await town.follow(other, by: 0) } }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count == 60 && outcomes.allSatisfy { $0.state == .following })
            #expect(outcomes.filter(\.isFirst).count == 30)
            let viewer = try #require(try await town.viewer(0))
            let (rows, kept) = try await database.read { reader in
                (
                    try reader.visibility.followCounts(of: viewer.key, for: viewer).following,
                    try reader.row("SELECT full_at FROM act_limits WHERE kind = 'followsPerHour'")?["full_at"] as Int64?
                )
            }
            #expect(rows == 30)
            #expect(kept == Self.noon.advanced(by: .seconds(30 * 36)).microseconds)
        }
    }

    @Test("An hour has a hundred follows and requests; the same again counts nothing, and an unfollow gives none back")
    func limits() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 103)
            try await town.setVisibility(.followers, of: 100)
            for other in 1...100 { try await town.follow(other, by: 0) }
            try await town.act { try $0.unfollow(SampleTown.name(1), by: SampleTown.name(0)) }
            for number in [1, 101] {
                let reached = await #expect(throws: ActLimitReached.self) { try await town.follow(number, by: 0) }
                #expect(reached?.limit.name == "followsPerHour")
                #expect(reached?.until == Self.noon.advanced(by: .seconds(36)))
            }
            #expect(try await town.follow(2, by: 0).state == .following)
            #expect(try await town.follow(100, by: 0).state == .requested)
            #expect(try await town.follow(0, by: 101).state == .following, "limits are of one person")
            let later = Self.noon.advanced(by: .seconds(36))
            #expect(try await town.follow(1, by: 0, now: later).state == .following)
            await #expect(throws: ActLimitReached.self) { try await town.follow(101, by: 0, now: later) }
        }
    }

    @Test("Nobody follows and asks more than ten thousand people, and existing follows are unaffected")
    func tooMany() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 3)
            try await town.follow(1, by: 0)
            let viewer = try #require(try await town.viewer(0))
            try await database.write { transaction in
                try transaction.run(
                    """
                    WITH RECURSIVE numbers (number) AS (
                        SELECT 1000 UNION ALL SELECT number + 1 FROM numbers WHERE number < 10997)
                    INSERT INTO follows (follower, followed, followed_at, change)
                    SELECT \(viewer.key), number, 0, number FROM numbers
                    """)
                try transaction.run(
                    """
                    INSERT INTO follow_requests (requester, requested, requested_at, change)
                    VALUES (\(viewer.key), 20000, 0, 20000)
                    """)
            }
            await #expect(throws: PeopleRefusal.tooManyFollows(limit: 10_000)) { try await town.follow(2, by: 0) }
            #expect(try await town.follow(1, by: 0).state == .following)
            try await town.act { try $0.unfollow(SampleTown.name(1), by: SampleTown.name(0)) }
            #expect(try await town.follow(2, by: 0).state == .following)
        }
    }
}
