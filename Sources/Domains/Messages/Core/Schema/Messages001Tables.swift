import Storage

extension Migration {
    /// Threads of two people, their messages, and who may write to whom. People are named by their keys in the table
    /// `people`.
    static let messagesTables = Migration(
        domain: "messages", number: 1, name: "tables",
        statements: [
            // A thread of two people: `first_key` is the lower of their keys. `state` is a number of `ThreadStanding`;
            // `asker` has asked the other one last, at `asked_at`, and is NULL where nobody did. Keys of people who are
            // erased belong to nobody.
            """
            CREATE TABLE message_threads (
                key \(Dialect.integerKey) PRIMARY KEY,
                id TEXT NOT NULL,
                first_key BIGINT NOT NULL,
                second_key BIGINT NOT NULL,
                state BIGINT NOT NULL,
                asker BIGINT,
                asked_at BIGINT
            )
            """,
            "CREATE UNIQUE INDEX message_threads_by_id ON message_threads (id)",
            "CREATE UNIQUE INDEX message_threads_of_two ON message_threads (first_key, second_key)",
            // A thread as one of the two has it. `last_number` is that of the newest message that the person sees, 0
            // without any; messages up to `hidden_number` are not shown. `is_asked` is 1 while the person has a request
            // of the other one to answer. `sent` counts what the person has written.
            // `full_at` is when the person may write to the other one as often as the limit again. After `reset_change`
            // programs read the messages again.
            """
            CREATE TABLE message_sides (
                person BIGINT NOT NULL,
                thread BIGINT NOT NULL,
                other BIGINT NOT NULL,
                last_number BIGINT NOT NULL,
                hidden_number BIGINT NOT NULL,
                is_asked BIGINT NOT NULL,
                read_number BIGINT NOT NULL,
                unread BIGINT NOT NULL,
                sent BIGINT NOT NULL,
                full_at BIGINT,
                reset_change BIGINT NOT NULL,
                change BIGINT NOT NULL,
                PRIMARY KEY (person, thread)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX message_sides_by_last ON message_sides (person, is_asked, last_number)",
            "CREATE INDEX message_sides_by_change ON message_sides (person, change)",
            "CREATE UNIQUE INDEX message_sides_by_other ON message_sides (person, other)",
            "CREATE INDEX message_sides_unread ON message_sides (person, unread) WHERE unread > 0",
            // A message. `number` is the change number with which it was stored, which orders the thread; `sent_at` is
            // in milliseconds. `client` is the id that the sender's client gave it, and `body` a keyed hash of what was
            // sent, by which a repeated request is recognized, also after the deletion. Of a person who is erased,
            // `sender` or `recipient` is 0, and `client` is NULL. The seal has the text and the song; it is NULL after
            // the deletion.
            """
            CREATE TABLE messages (
                number \(Dialect.integerKey) PRIMARY KEY,
                thread BIGINT NOT NULL,
                sender BIGINT NOT NULL,
                recipient BIGINT NOT NULL,
                client TEXT,
                body BIGINT NOT NULL,
                sent_at BIGINT NOT NULL,
                has_song BIGINT NOT NULL,
                key_id TEXT,
                sealed \(Dialect.bytes),
                change BIGINT NOT NULL
            )
            """,
            "CREATE INDEX messages_of_thread ON messages (thread\(Dialect.thenKey("number")))",
            // For event streams, which read what a person has sent and what they have received.
            "CREATE INDEX messages_sent ON messages (sender, change)",
            "CREATE INDEX messages_received ON messages (recipient, change)",
            "CREATE UNIQUE INDEX messages_by_client ON messages (thread, sender, client)",
            """
            CREATE INDEX messages_of_sender ON messages (sender\(Dialect.thenKey("number"))) WHERE client IS NOT NULL
            """,
            // The key of the hashes in `messages`: one row, sealed like a text, so that nobody without the key file can
            // test what somebody may have written.
            """
            CREATE TABLE message_secrets (
                id TEXT NOT NULL PRIMARY KEY,
                key_id TEXT NOT NULL,
                sealed \(Dialect.bytes) NOT NULL
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // `policy` is a number of `MessagePolicy`. Without a row, everybody may write, and no read mark is shown.
            """
            CREATE TABLE message_settings (
                person \(Dialect.integerKey) PRIMARY KEY,
                policy BIGINT NOT NULL,
                shows_marks BIGINT NOT NULL
            )
            """,
            // That a person wrote to another one on a day of their own time zone.
            """
            CREATE TABLE message_acts (
                actor BIGINT NOT NULL,
                other BIGINT NOT NULL,
                day TEXT NOT NULL,
                zone TEXT NOT NULL,
                PRIMARY KEY (actor, other, day)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX message_acts_of_other ON message_acts (other, actor)",
        ])
}
