import Storage

extension Migration {
    /// Shared songs, what people do with them, and links to them. People are named by their keys in the table `people`.
    static let sharesTables = Migration(
        domain: "shares", number: 1, name: "tables",
        statements: [
            // `number` is the change number with which the share was made, by which lists are sorted: it rises even when
            // the clock goes back. `shared_at` is in milliseconds. `recipient` is NULL for a share to everybody who may
            // see the sender's profile.
            """
            CREATE TABLE shares (
                number \(Dialect.integerKey) PRIMARY KEY,
                sender BIGINT NOT NULL,
                recipient BIGINT,
                content BIGINT NOT NULL,
                shared_at BIGINT NOT NULL,
                message TEXT
            )
            """,
            "CREATE INDEX shares_of_sender ON shares (sender\(Dialect.thenKey("number")))",
            """
            CREATE INDEX shares_of_recipient ON shares (recipient\(Dialect.thenKey("number")))
            WHERE recipient IS NOT NULL
            """,
            // What a client has sent, for as long as its person is here, also after the share was taken back. `client`
            // and `body` are keyed hashes of the client's id and of what it sent.
            """
            CREATE TABLE share_receipts (
                sender BIGINT NOT NULL,
                client BIGINT NOT NULL,
                body BIGINT NOT NULL,
                share BIGINT NOT NULL,
                shared_at BIGINT NOT NULL,
                PRIMARY KEY (sender, client)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // The key of the hashes in `share_receipts`: one row, made with the first share.
            "CREATE TABLE share_secrets (secret \(Dialect.bytes) NOT NULL)",
            // What shares show of songs, once for each distinct content, whose hash is `hash`. `shares` counts its
            // shares; the row goes with the last one. `artists` and `pictures` have a line for each. The ids at services
            // are those that the service itself gave for the song.
            """
            CREATE TABLE share_contents (
                key \(Dialect.integerKey) PRIMARY KEY,
                hash \(Dialect.bytes) NOT NULL,
                shares BIGINT NOT NULL,
                title TEXT NOT NULL,
                artists TEXT NOT NULL,
                album TEXT,
                duration_ms BIGINT,
                isrc TEXT,
                is_explicit BIGINT,
                pictures TEXT,
                preview TEXT,
                spotify_id TEXT,
                apple_id TEXT,
                apple_country TEXT
            )
            """,
            "CREATE UNIQUE INDEX share_contents_by_hash ON share_contents (hash)",
            "CREATE INDEX share_contents_of_spotify ON share_contents (spotify_id) WHERE spotify_id IS NOT NULL",
            "CREATE INDEX share_contents_of_apple ON share_contents (apple_id) WHERE apple_id IS NOT NULL",
            // What a service's catalog has for a content; `item` is NULL if it has no such song. `country` is that of
            // Apple Music's catalog, and empty for Spotify.
            """
            CREATE TABLE share_matches (
                content BIGINT NOT NULL,
                source BIGINT NOT NULL,
                country TEXT NOT NULL,
                item TEXT,
                found_at BIGINT NOT NULL,
                PRIMARY KEY (content, source, country)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // What a person does with a share. `reaction` is NULL for thanks alone.
            """
            CREATE TABLE share_reactions (
                share BIGINT NOT NULL,
                person BIGINT NOT NULL,
                reaction BIGINT,
                thanked BIGINT NOT NULL,
                reacted_at BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (share, person)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX share_reactions_by_change ON share_reactions (share, change)",
            "CREATE INDEX share_reactions_of_person ON share_reactions (person, share)",
            // How many people have reacted to a share in which way; the reaction 0 is thanks.
            """
            CREATE TABLE share_reaction_counts (
                share BIGINT NOT NULL,
                reaction BIGINT NOT NULL,
                total BIGINT NOT NULL,
                PRIMARY KEY (share, reaction)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Shares that changed for a person since they were made: for the sender and for who reacts.
            """
            CREATE TABLE share_changes (
                person BIGINT NOT NULL,
                share BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (person, share)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX share_changes_of_person ON share_changes (person, change)",
            // Shares that were taken back and have reactions that upkeep has to delete.
            """
            CREATE TABLE share_removals (
                share BIGINT NOT NULL PRIMARY KEY,
                shared_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // The share that a person has pinned to their profile.
            """
            CREATE TABLE share_pins (
                person BIGINT NOT NULL PRIMARY KEY,
                share BIGINT NOT NULL,
                ends_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // Links that show a share without an account. `token` is the hash of the secret in the link.
            """
            CREATE TABLE share_links (
                id TEXT NOT NULL PRIMARY KEY,
                sender BIGINT NOT NULL,
                share BIGINT NOT NULL,
                token TEXT NOT NULL,
                shows_name BIGINT NOT NULL,
                created_at BIGINT NOT NULL,
                expires_at BIGINT NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE UNIQUE INDEX share_links_by_token ON share_links (token)",
            "CREATE INDEX share_links_of_share ON share_links (share, id)",
            "CREATE INDEX share_links_of_sender ON share_links (sender, id)",
            "CREATE INDEX share_links_by_end ON share_links (expires_at)",
            // That a person shared something with another on a day of their own time zone; `other` is 0 for a share to
            // everybody.
            """
            CREATE TABLE share_acts (
                actor BIGINT NOT NULL,
                other BIGINT NOT NULL,
                day TEXT NOT NULL,
                zone TEXT NOT NULL,
                PRIMARY KEY (actor, other, day)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX share_acts_of_other ON share_acts (other, actor) WHERE other > 0",
        ])
}
