import Storage

extension Migration {
    /// Blocks of blends become blocks of people, requests get ids and keep the name that was asked for, and blends no
    /// longer contain names. The domains `visibility` and `accounts` come before, so that everybody is in `people`.
    static let curationPartners = Migration(
        domain: "curation", number: 2, name: "partners",
        statements: [
            // A block of a name that nobody has is dropped: it would be a block of whoever takes the name.
            """
            INSERT INTO blocks (blocker, blocked, blocked_at, change)
            SELECT own.key, partner.key, blend_partners.since_at, blend_partners.change
            FROM blend_partners
                JOIN people AS own ON own.user_id = blend_partners.user_id
                JOIN people AS partner ON partner.user_id = blend_partners.partner_id
            WHERE blend_partners.state = 'blocked' AND own.key <> partner.key
            ON CONFLICT (blocker, blocked) DO NOTHING
            """,
            // People who blocked each other, and whose blends may still refer to each other: the owner of the blends,
            // and the other person. An upkeep step removes the references and then the row.
            """
            CREATE TABLE former_blend_partners (
                user_id TEXT NOT NULL,
                partner_id TEXT NOT NULL,
                PRIMARY KEY (user_id, partner_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX former_blend_partners_of_partner ON former_blend_partners (partner_id)",
            """
            INSERT INTO former_blend_partners (user_id, partner_id)
            SELECT blend_partners.user_id, blend_partners.partner_id
            FROM blend_partners JOIN people ON people.user_id = blend_partners.partner_id
            WHERE blend_partners.state = 'blocked'
            UNION SELECT blend_partners.partner_id, blend_partners.user_id
            FROM blend_partners JOIN people ON people.user_id = blend_partners.partner_id
            WHERE blend_partners.state = 'blocked'
            """,
            // What a block ends, except a request that the blocker has not answered: it stays as it is.
            """
            DELETE FROM blend_partners WHERE state IN ('asked', 'accepted') AND EXISTS (
                SELECT 1 FROM blend_partners AS other
                WHERE other.user_id = blend_partners.partner_id AND other.partner_id = blend_partners.user_id
                    AND other.state = 'blocked')
            """,
            "DELETE FROM blend_partners WHERE state = 'blocked'",
            // `id` names the row in the API. `name` is the name that the person asked for; NULL once the partner has
            // asked or agreed. `state` is asking, asked or accepted.
            "ALTER TABLE blend_partners ADD COLUMN id TEXT NOT NULL DEFAULT ''",
            "UPDATE blend_partners SET id = \(Dialect.newUUID)",
            "ALTER TABLE blend_partners ADD COLUMN name TEXT",
            "UPDATE blend_partners SET name = SUBSTR(partner_id, 6) WHERE SUBSTR(partner_id, 1, 5) = 'name:'",
            """
            UPDATE blend_partners SET name = (SELECT users.name FROM users WHERE users.id = blend_partners.partner_id)
            WHERE state = 'asking' AND name IS NULL
            """,
            // The limit of requests is one of the limits of acts now.
            "DROP TABLE blend_requests",
            // Blends from before have a title with the other person's name; an upkeep step removes it, here and in the
            // request and the songs.
            """
            CREATE INDEX curated_lists_with_names ON curated_lists (user_id, id) WHERE kind = 'blend' AND title <> ''
            """,
        ])
}
