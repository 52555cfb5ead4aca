import Model
import Storage

/// The SQL of notes. Members that write need a ``WriteTransaction``.
package struct NoteStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var notes: NoteStore<Self> { NoteStore(transaction: self) }
}

extension NoteStore {
    /// A person's notes, the newest first.
    package func all(userID: String) throws -> [Note] {
        try transaction.map(
            """
            SELECT id, words, provider, created_at, change FROM notes
            WHERE user_id = \(userID) ORDER BY id DESC LIMIT \(Note.capacity)
            """, Note.init)
    }

    /// A person's notes that changed after `change`, in the order of their changes.
    package func changed(userID: String, after change: Int64, limit: Int) throws -> [Note] {
        try transaction.map(
            """
            SELECT id, words, provider, created_at, change FROM notes
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change LIMIT \(limit)
            """, Note.init)
    }

    /// How many notes a person has.
    package func count(userID: String) throws -> Int {
        try transaction.row("SELECT COUNT(*) AS n FROM notes WHERE user_id = \(userID)")?["n"] ?? 0
    }
}

extension NoteStore where Access == WriteTransaction {
    /// - Throws: ``NoteRefusal`` when the person has too many notes.
    package func add(_ words: String, about provider: Provider?, userID: String, now: Timestamp) throws -> Note {
        guard try count(userID: userID) < Note.capacity else {
            throw NoteRefusal.tooManyNotes(limit: Note.capacity)
        }
        let note = Note(
            id: UUIDv7.next(), words: words, provider: provider, createdAt: now, change: try transaction.nextChange())
        try transaction.run(
            """
            INSERT INTO notes (user_id, id, words, provider, created_at, change)
            VALUES (
                \(userID), \(note.id), \(note.words), \(note.provider?.rawValue), \(note.createdAt), \(note.change))
            """)
        transaction.recordChange(of: [userID], topic: .notes)
        return note
    }

    /// Deletes a person's notes about a service.
    package func remove(about provider: Provider, userID: String) throws {
        let ids: [String] = try transaction.map(
            "SELECT id FROM notes WHERE user_id = \(userID) AND provider = \(provider.rawValue)"
        ) { try $0["id"] }
        try transaction.run("DELETE FROM notes WHERE user_id = \(userID) AND provider = \(provider.rawValue)")
        try transaction.recordGone(.note, ids: ids, userID: userID)
    }

    /// Deletes old notes, the oldest first.
    ///
    /// - Returns: how many were deleted.
    package func prune(createdBefore cutoff: PruningTime, limit: Int) throws -> Int {
        let old: [(userID: String, id: String)] = try transaction.map(
            """
            SELECT user_id, id FROM notes WHERE created_at < \(cutoff.moment) ORDER BY created_at LIMIT \(limit)
            """
        ) { (try $0["user_id"], try $0["id"]) }
        for (userID, id) in old {
            try transaction.run("DELETE FROM notes WHERE user_id = \(userID) AND id = \(id)")
            try transaction.recordGone(.note, ids: [id], userID: userID)
        }
        return old.count
    }
}

extension ItemKind {
    /// A note in people's event streams.
    package static let note = ItemKind("note")
}

extension ChangeTopic {
    /// People's notes.
    package static let notes = ChangeTopic("notes")
}

extension Note {
    fileprivate init(_ row: Row) throws {
        let provider: String? = try row["provider"]
        self.init(
            id: try row["id"], words: try row["words"], provider: provider.flatMap { Provider(rawValue: $0) },
            createdAt: try row["created_at"], change: try row["change"])
    }
}
