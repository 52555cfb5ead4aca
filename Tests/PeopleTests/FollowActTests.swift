import Model
import Storage
import TestSupport
import Testing

@testable import People
@testable import Visibility

@Suite("Following, asking and blocking")
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
            #expect(try await !town.act { try $0.accept(SampleTown.name(0), by: SampleTown.name(1), now: Self.noon) })
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
            #expect(try await town.act { try $0.accept(guest, by: host, now: Self.noon) }, "it is the first follow")
            #expect(try await town.follows(1, 0))
            #expect(try await town.requests(to: 0).isEmpty)
            #expect(try await !town.act { try $0.accept(guest, by: host, now: Self.noon) }, "once more is as once")

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

    @Test("A private follower or asker is shown to the person, who can remove, decline, accept and block them")
    func privateFollowers() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 6)
            let host = SampleTown.name(0)
            try await town.follow(0, by: 1)
            try await town.follow(0, by: 2)
            try await town.setVisibility(.followers, of: 0)
            for number in 3...5 { try await town.follow(0, by: number) }
            for number in 1...5 { try await town.setVisibility(.private, of: number) }
            #expect(try await town.requests(to: 0) == [5, 4, 3].map(SampleTown.name))
            try await town.act { store in
                try store.removeFollower(SampleTown.name(1), of: host)
                try store.block(SampleTown.name(2), by: host, now: Self.noon)
                try store.decline(SampleTown.name(3), by: host)
                try store.accept(SampleTown.name(4), by: host, now: Self.noon)
                try store.block(SampleTown.name(5), by: host, now: Self.noon)
            }
            for number in [1, 2, 3, 5] { #expect(try await !town.follows(number, 0), "\(number)") }
            #expect(try await town.follows(4, 0))
            #expect(try await town.requests(to: 0).isEmpty)
            // Whoever neither follows nor asks, and is private, is nobody.
            for number in [1, 3] {
                await #expect(throws: PeopleRefusal.unknownPerson) {
                    try await town.act { try $0.removeFollower(SampleTown.name(number), of: host) }
                }
                await #expect(throws: PeopleRefusal.unknownPerson) {
                    try await town.act { try $0.block(SampleTown.name(number), by: host, now: Self.noon) }
                }
            }
            // A block can be ended whatever the blocked person shows.
            try await town.act { try $0.unblock(SampleTown.name(5), by: host, now: Self.noon) }
            await #expect(throws: PeopleRefusal.unknownPerson) {
                try await town.act { try $0.unblock(SampleTown.name(5), by: host, now: Self.noon) }
            }
        }
    }

    @Test("A block ends follows and requests of both directions, and hides the blocker")
    func blocks() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 3)
            let (own, other) = (SampleTown.name(0), SampleTown.name(1))
            try await town.follow(1, by: 0)
            try await town.setVisibility(.followers, of: 0)
            try await town.follow(0, by: 1)
            for _ in 0..<2 { try await town.act { try $0.block(other, by: own, now: Self.noon) } }
            #expect(try await !town.follows(0, 1))
            #expect(try await town.requests(to: 0).isEmpty)
            for act: @Sendable (PeopleStore<WriteTransaction>) throws -> Void in [
                { _ = try $0.follow(own, by: other, now: Self.noon) }, { try $0.unfollow(own, by: other) },
                { try $0.block(own, by: other, now: Self.noon) }, { try $0.unblock(own, by: other, now: Self.noon) },
                { try $0.removeFollower(own, of: other) }, { try $0.accept(own, by: other, now: Self.noon) },
                { try $0.decline(own, by: other) },
            ] {
                await #expect(throws: PeopleRefusal.unknownPerson) { try await town.act(act) }
            }
            // The blocker does not follow or remove them either, but ends the block.
            await #expect(throws: PeopleRefusal.unknownPerson) { try await town.follow(1, by: 0) }
            for _ in 0..<2 { try await town.act { try $0.unblock(other, by: own, now: Self.noon) } }
            #expect(try await town.follow(0, by: 1).state == .requested)
            await #expect(throws: PeopleRefusal.selfTarget) {
                try await town.act { try $0.block(own, by: own, now: Self.noon) }
            }
        }
    }

    @Test("Blocking is always possible, and ending blocks is limited")
    func endsOfBlocks() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 41)
            let own = SampleTown.name(0)
            for number in 1...40 {
                try await town.act { try $0.block(SampleTown.name(number), by: own, now: Self.noon) }
            }
            for number in 1...30 {
                try await town.act { store in
                    try store.unblock(SampleTown.name(number), by: own, now: Self.noon)
                    // A block that is over counts as none.
                    try store.unblock(SampleTown.name(number), by: own, now: Self.noon)
                }
            }
            await #expect(throws: ActLimitReached.self) {
                try await town.act { try $0.unblock(SampleTown.name(31), by: own, now: Self.noon) }
            }
            try await town.act { try $0.block(SampleTown.name(1), by: own, now: Self.noon) }
            let later = Self.noon.advanced(by: .seconds(86_400 / 30))
            try await town.act { try $0.unblock(SampleTown.name(31), by: own, now: later) }
            await #expect(throws: ActLimitReached.self) {
                try await town.act { try $0.unblock(SampleTown.name(32), by: own, now: later) }
            }
        }
    }

    @Test("Nobody acts who is suspended or whose erasure has begun, and nobody acts toward them")
    func inactive() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 4)
            try await town.follow(1, by: 0)
            try await town.follow(2, by: 0)
            try await database.write { transaction in
                try transaction.visibility.suspend(userID: SampleTown.name(1))
                try transaction.visibility.close(userID: SampleTown.name(2))
            }
            for number in [1, 2] {
                await #expect(throws: PeopleRefusal.unknownPerson) { try await town.follow(3, by: number) }
                await #expect(throws: PeopleRefusal.unknownPerson) { try await town.follow(number, by: 3) }
                await #expect(throws: PeopleRefusal.unknownPerson) {
                    try await town.act { try $0.block(SampleTown.name(number), by: SampleTown.name(0), now: Self.noon) }
                }
            }
            try await database.write { _ = try $0.visibility.reinstate(userID: SampleTown.name(1)) }
            #expect(try await town.follow(1, by: 0) == FollowOutcome(state: .following, isFirst: false))
        }
    }

    @Test("A block and a follow at the same moment leave no follow, whichever is first")
    func simultaneous() async throws {
        try await withDatabase { database in
            let pairs = 60
            let town = try await SampleTown(database, people: 2 * pairs)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for pair in 0..<pairs {
                    let (own, other) = (2 * pair, 2 * pair + 1)
                    group.addTask {
                        do {
                            try await town.follow(other, by: own)
                        } catch PeopleRefusal.unknownPerson {}
                    }
                    group.addTask {
                        do {
                            try await town.follow(own, by: other)
                        } catch PeopleRefusal.unknownPerson {}
                    }
                    group.addTask {
                        try await town.act {
                            try $0.block(SampleTown.name(own), by: SampleTown.name(other), now: Self.noon)
                        }
                    }
                }
                try await group.waitForAll()
            }
            for pair in 0..<pairs {
                #expect(try await !town.follows(2 * pair, 2 * pair + 1))
                #expect(try await !town.follows(2 * pair + 1, 2 * pair))
            }
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

    @Test("An erasure deletes requests and beginnings of both directions, and notifies those who asked")
    func erasure() async throws {
        try await withDatabase { database in
            let town = try await SampleTown(database, people: 6, visibility: .followers)
            for number in 1...3 {
                try await town.follow(0, by: number)
                try await town.follow(number, by: 0)
            }
            try await town.act { try $0.accept(SampleTown.name(1), by: SampleTown.name(0), now: Self.noon) }
            try await town.follow(5, by: 4)
            let key = try #require(try await town.viewer(0)).key
            try await database.write { transaction in
                try transaction.people.replaceArtists(
                    ["Muse"].compactMap(TopArtist.init(name:)), of: SampleTown.name(0), listensChange: 1, now: Self.noon
                )
                try transaction.visibility.close(userID: SampleTown.name(0))
            }
            let before = try await database.read { try $0.lastChange() }
            let writes = SteppedWrites(database, checkpoints: true)
            #expect(try await PersonalTables(of: .tested).eraseRows(of: SampleTown.name(0), in: database, by: writes))
            let rows: [SQL] = [
                "SELECT 1 FROM follow_requests WHERE requester = \(key) OR requested = \(key)",
                "SELECT 1 FROM follow_beginnings WHERE follower = \(key) OR followed = \(key)",
                "SELECT 1 FROM follows WHERE follower = \(key) OR followed = \(key)",
                "SELECT 1 FROM person_artists WHERE person = \(key)",
                "SELECT 1 FROM person_artist_readings WHERE person = \(key)",
                "SELECT 1 FROM people WHERE key = \(key)",
            ]
            let (left, notified) = try await database.read { reader in
                (
                    try rows.filter { try reader.row($0) != nil }.map(\.text),
                    try reader.people(changedIn: .people, after: before)
                )
            }
            #expect(left.isEmpty && notified == Set((1...3).map(SampleTown.name)))
            #expect(try await town.requests(to: 5) == [SampleTown.name(4)])
        }
    }
}
