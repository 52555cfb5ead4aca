import Model
import Storage
import TestSupport
import Testing
import Timeline
import Visibility

@testable import Shares

@Suite("Sharing songs, and taking shares back")
struct SharingTests {
    @Test("A draft makes one share however often it is sent, and its answer stays after the share was taken back")
    func repeatedDrafts() async throws {
        try await SampleShares.run(people: 2) { shares in
            let draft = SampleShares.draft(1, message: "For long evenings")
            let id = try await shares.made(1, by: 0)
            #expect(try await shares.share(SampleShares.draft(1), by: 0) == .known(id))
            await #expect(throws: ShareRefusal.otherShare) { try await shares.share(draft, by: 0) }
            #expect(try await shares.count("shares") == 1)
            // Another person may use the same id.
            guard case .made(let other) = try await shares.share(draft, by: 1) else {
                Issue.record("the draft of another person is a share of its own")
                return
            }
            #expect(other != id)
            for _ in 0..<2 { try await shares.takeBack(id, by: 0) }
            #expect(try await shares.share(id, seenBy: 0) == nil)
            #expect(try await shares.share(SampleShares.draft(1), by: 0) == .gone(id))
            await #expect(throws: ShareRefusal.otherShare) { try await shares.share(draft, by: 0) }
            #expect(try await shares.count("shares") == 1)
        }
    }

    @Test("A repeated draft counts against no limit, and taking back gives nothing back")
    func limit() async throws {
        try await SampleShares.run(people: 1) { shares in
            var ids: [ShareID] = []
            for number in 0..<60 { ids.append(try await shares.made(number, by: 0)) }
            #expect(try await shares.share(SampleShares.draft(59), by: 0) == .known(ids[59]))
            try await shares.takeBack(ids[0], by: 0)
            await #expect(throws: ActLimitReached.self) { try await shares.share(SampleShares.draft(60), by: 0) }
            #expect(try await shares.count("shares") == 59)
            let later = SampleShares.noon.advanced(by: .seconds(24 * 60))
            guard case .made = try await shares.share(SampleShares.draft(60), by: 0, now: later) else {
                Issue.record("an act comes back after a sixtieth of the day")
                return
            }
        }
    }

    @Test("A share has one row in its sender's timeline, and taking it back leaves a tombstone, whatever the followers")
    func timeline() async throws {
        try await SampleShares.run(people: 6) { shares in
            for follower in 1..<6 { try await shares.follow(0, by: follower) }
            let id = try await shares.made(by: 0)
            #expect(try await shares.count("timeline_items") == 1)
            let moment = id.moment
            #expect(moment == SampleShares.noon)
            try await shares.takeBack(id, by: 0)
            #expect(try await shares.count("timeline_items") == 0)
            let gone = try await shares.database.read { reader in
                try reader.map("SELECT item FROM timeline_gone_items") { try $0["item"] as String }
            }
            #expect(gone == [TimelineKind.share.itemID(id.text)])
            #expect(try await shares.gone(for: 0) == [id.text])
            #expect(try await shares.gone(for: 1).isEmpty, "nothing is written for a follower")
        }
    }

    @Test("Nobody takes back what somebody else has shared, and a stranger does not learn that it exists")
    func otherPeople() async throws {
        try await SampleShares.run(people: 2) { shares in
            let id = try await shares.made(by: 0)
            await #expect(throws: ShareRefusal.unknownShare) { try await shares.takeBack(id, by: 1) }
            try await shares.takeBack(id, by: 0)
            await #expect(throws: ShareRefusal.unknownShare) { try await shares.takeBack(id, by: 1) }
            let unknown = ShareID(number: 12_345, milliseconds: 1_800_000_000_000)
            await #expect(throws: ShareRefusal.unknownShare) { try await shares.takeBack(unknown, by: 0) }
        }
    }

    @Test("Somebody who was suspended meanwhile shares nothing")
    func suspended() async throws {
        try await SampleShares.run(people: 1) { shares in
            _ = try await shares.database.write { try $0.visibility.suspend(userID: SampleShares.name(0)) }
            await #expect(throws: ShareRefusal.unknownShare) { try await shares.share(SampleShares.draft(1), by: 0) }
        }
    }

    @Test("The act has the day of the person's own zone, once for each day")
    func acts() async throws {
        try await SampleShares.run(people: 1) { shares in
            // 2027-01-15, 08:00 UTC, and 16 hours later.
            for (number, hours) in [0, 1, 16].enumerated() {
                try await shares.share(
                    SampleShares.draft(number), by: 0, zone: "Pacific/Auckland",
                    now: SampleShares.noon.advanced(by: .seconds(hours * 3_600)))
            }
            let acts = try await shares.database.read { reader in
                try reader.map("SELECT day, zone, other FROM share_acts ORDER BY day") {
                    "\(try $0["day"] as String) \(try $0["zone"] as String) \(try $0["other"] as Int)"
                }
            }
            #expect(acts == ["2027-01-15 Pacific/Auckland 0", "2027-01-16 Pacific/Auckland 0"])
            #expect(ActDay(SampleShares.noon, zone: nil).zone == "UTC")
            #expect(ActDay(SampleShares.noon, zone: "Nowhere/None").zone == "UTC")
        }
    }

    @Test("A person's own devices learn of a share by its number, and of nothing else")
    func ownChanges() async throws {
        try await SampleShares.run(people: 2) { shares in
            try await shares.follow(0, by: 1)
            let before = try await shares.lastChange()
            let id = try await shares.made(by: 0)
            #expect(try await shares.changes(of: 0, after: before) == [id])
            #expect(try await shares.changes(of: 1, after: before).isEmpty)
            #expect(try await shares.changes(of: 0, after: id.number).isEmpty)
        }
    }

    @Test("Pages of a person's shares are newest first and have each share once, also when shares are taken back")
    func pages() async throws {
        try await SampleShares.run(people: 2) { shares in
            var ids: [ShareID] = []
            for number in 0..<7 { ids.append(try await shares.made(number, by: 0)) }
            func page(after cursor: Cursor<Int>?) async throws -> SharePage {
                try await shares.database.read { reader in
                    let viewer = try #require(try reader.visibility.viewer(userID: SampleShares.name(1)))
                    let sender = try #require(try reader.visibility.key(ofUser: SampleShares.name(0)))
                    return try reader.shares.page(
                        of: sender, for: viewer, after: cursor, limit: 3, now: SampleShares.noon)
                }
            }
            let first = try await page(after: nil)
            #expect(first.items.map(\.id) == [ids[6], ids[5], ids[4]])
            try await shares.takeBack(ids[4], by: 0)
            try await shares.takeBack(ids[3], by: 0)
            let cursor = try #require(first.nextCursor.flatMap { shareList.cursor($0) })
            let second = try await page(after: cursor)
            #expect(second.items.map(\.id) == [ids[2], ids[1], ids[0]])
            #expect(second.nextCursor == nil)
        }
    }

    @Test("A share writes at most ten rows, and reads them by indexes")
    func plans() async throws {
        try await SampleShares.run(people: 2) { shares in
            let id = try await shares.made(by: 0)
            try await shares.database.read { reader in
                let viewer = try #require(try reader.visibility.viewer(userID: SampleShares.name(1)))
                for sql: SQL in [
                    "SELECT number FROM shares WHERE sender = \(viewer.key) AND number > 0 ORDER BY number LIMIT 10",
                    "SELECT 1 FROM share_receipts WHERE sender = \(viewer.key) AND client = 1",
                    "SELECT share FROM share_reactions WHERE person = \(viewer.key) ORDER BY share LIMIT 10",
                    "SELECT 1 FROM share_links WHERE token = ''",
                    """
                    SELECT share FROM share_changes WHERE person = \(viewer.key) AND change > 0 ORDER BY change LIMIT 9
                    """,
                ] {
                    let plan = try reader.plan(of: sql)
                    #expect(plan.allSatisfy { !$0.contains("SCAN") && !$0.contains("TEMP B-TREE") }, "\(plan)")
                }
            }
            #expect(id.number > 0)
        }
    }

    @Test("Whether a share was taken back is found by an index, however many a person has sent")
    func planOfReceipts() async throws {
        try await withDatabase(of: .tested) { database, _ in
            let plan = try await database.read { reader in
                try reader.plan(
                    of: """
                        SELECT 1 FROM share_receipts WHERE sender = \(1) AND share = \(2) AND shared_at = \(3) LIMIT 1
                        """)
            }
            #expect(plan.allSatisfy { $0.contains("share_receipts_of_share (sender=? AND share=?") }, "\(plan)")
        }
    }
}
