import Model
import Storage
import Visibility

@testable import Messages

/// What people see.
extension SampleMessages {
    /// A thread as a person sees it; `nil` if there is none.
    func thread(_ id: String, seenBy person: Int, now: Timestamp = noon) async throws -> MessageThread? {
        try await database.read { reader in
            guard let viewer = try reader.visibility.viewer(userID: Self.name(person)) else { return nil }
            return try reader.messages.thread(id, for: viewer, now: now)
        }
    }

    /// A message by its id alone, as a person sees it; `nil` if they have none with the id.
    func message(_ id: MessageID, seenBy person: Int) async throws -> Message? {
        try await database.read { reader in
            guard let viewer = try reader.visibility.viewer(userID: Self.name(person)) else { return nil }
            return try reader.messages.message(id, for: viewer, now: Self.noon)
        }
    }

    /// The ids of the threads of a list.
    func threads(_ kind: ThreadListKind = .open, of person: Int) async throws -> [String] {
        try await database.read { reader in
            guard let viewer = try reader.visibility.viewer(userID: Self.name(person)) else { return [] }
            return try reader.messages.threads(kind, for: viewer, limit: 50, now: Self.noon).items.map(\.id)
        }
    }

    /// The messages of a thread, the oldest first, with their texts; `-` for one without.
    func texts(_ thread: String, seenBy person: Int) async throws -> [String] {
        try await database.read { [keys] reader in
            guard let viewer = try reader.visibility.viewer(userID: Self.name(person)),
                let thread = try reader.messages.thread(thread, for: viewer, now: Self.noon)
            else { return [] }
            let page = try reader.messages.messages(in: thread, for: viewer, limit: 100)
            return try page.items.reversed().map { try $0.content(keys)?.text ?? "-" }
        }
    }

    /// The messages that changed for a person after a number, with their texts.
    func changes(of person: Int, after change: Int64) async throws -> [String] {
        try await database.read { [keys] reader in
            guard let viewer = try reader.visibility.viewer(userID: Self.name(person)) else { return [] }
            return try reader.messages.changedMessages(for: viewer, after: change, limit: 100).map {
                try $0.message.content(keys)?.text ?? "-"
            }
        }
    }

    /// The changes of a person's threads after a number.
    func threadChanges(of person: Int, after change: Int64, limit: Int = 100) async throws -> [ThreadChange] {
        try await database.read { reader in
            guard let viewer = try reader.visibility.viewer(userID: Self.name(person)) else { return [] }
            return try reader.messages.changedThreads(for: viewer, after: change, limit: limit, now: Self.noon)
        }
    }

    /// The ids of the threads that changed for a person after a number, without those that are gone.
    func changedThreads(of person: Int, after change: Int64) async throws -> [String] {
        try await threadChanges(of: person, after: change).filter { !$0.isGone }.map(\.thread.id)
    }

    /// The numbers of the last changes of all sides of threads.
    func sideChanges() async throws -> [Int64] {
        try await database.read {
            try $0.map("SELECT change FROM message_sides ORDER BY thread, person") { try $0["change"] }
        }
    }

    func unread(of person: Int) async throws -> UnreadMessages {
        try await database.read { reader in
            guard let viewer = try reader.visibility.viewer(userID: Self.name(person)) else { return UnreadMessages() }
            return try reader.messages.unread(of: viewer)
        }
    }

    func lastChange() async throws -> Int64 { try await database.read { try $0.lastChange() } }

    /// What is gone for a person: kinds and ids.
    func gone(for person: Int, after change: Int64 = 0) async throws -> [String] {
        try await database.read { reader in
            try reader.goneItems(userID: Self.name(person), after: change, limit: 1_000).map {
                "\($0.kind.name) \($0.id)"
            }
        }
    }

    /// The number of rows of a table.
    func count(_ table: StaticString) async throws -> Int {
        try await database.read {
            try $0.row("SELECT COUNT(*) AS count FROM \(trusted: table)")?["count"] ?? 0
        }
    }
}
