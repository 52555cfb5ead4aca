import TestSupport
import Testing

@testable import Storage

@Suite("Blend partners in databases of 0.2.0")
struct BlendMigrationTests {
    @Test("Blocks become those of people and end what a block ends; requests keep the name that they asked for")
    func blocksBecomeThoseOfPeople() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("test.sqlite")
        try Release.first.write(toFileAt: path)
        try RawSQLite(path: path).run(
            """
            INSERT INTO users (id, name, name_key, created_at)
            VALUES ('c', 'cyd', 'cyd', 1), ('d', 'dan', 'dan', 2), ('e', 'eve', 'eve', 3), ('f', 'fay', 'fay', 4);
            DELETE FROM blend_partners;
            INSERT INTO blend_partners (user_id, partner_id, state, since_at, change) VALUES
                ('c', 'd', 'blocked', 11, 101), ('d', 'c', 'asking', 12, 102),
                ('c', 'e', 'blocked', 13, 103), ('e', 'c', 'asked', 14, 104),
                ('d', 'e', 'blocked', 15, 105), ('e', 'd', 'blocked', 16, 106),
                ('d', 'name:nobody', 'blocked', 17, 107), ('d', 'name:who', 'asking', 18, 108),
                ('d', 'f', 'accepted', 19, 109), ('f', 'd', 'accepted', 19, 110);
            """)
        let database = try Database.open(path: path, schema: .all)
        defer { database.close() }
        try await database.migrate()
        let file = try RawSQLite(path: path)
        let blocks = try file.rows(
            """
            SELECT blockers.user_id, blocked.user_id, blocks.blocked_at, blocks.change
            FROM blocks JOIN people AS blockers ON blockers.key = blocks.blocker
                JOIN people AS blocked ON blocked.key = blocks.blocked
            ORDER BY blocks.change
            """)
        #expect(
            blocks == [
                ["c", "d", "11", "101"], ["c", "e", "13", "103"], ["d", "e", "15", "105"], ["e", "d", "16", "106"],
            ])
        let partners = try file.rows(
            "SELECT user_id, partner_id, state, name, since_at FROM blend_partners ORDER BY change")
        #expect(
            partners == [
                ["d", "c", "asking", "cyd", "12"], ["d", "name:who", "asking", "who", "18"],
                ["d", "f", "accepted", nil, "19"], ["f", "d", "accepted", nil, "19"],
            ])
        let ids = try file.rows("SELECT id FROM blend_partners").compactMap { $0[0] }
        #expect(Set(ids).count == 4 && ids.allSatisfy { $0.count == 36 })
        // Their blends are separated by the first run of an upkeep step.
        let former = try file.rows(
            "SELECT user_id || partner_id FROM former_blend_partners ORDER BY user_id, partner_id")
        #expect(former.compactMap { $0[0] } == ["cd", "ce", "dc", "de", "ec", "ed"])
        #expect(try file.rows("PRAGMA integrity_check") == [["ok"]])
    }
}
