import Accounts
import DomainEvents
import Domains
import Model
import Storage
import Synchronization
import TestSupport
import Timeline
import Vault
import Visibility

@testable import Messages

extension [Domain] {
    /// Those whose tables the tests use. An erasure needs the table of users.
    static let tested: [Domain] = [.storage, .visibility, .accounts, .jobs, .vault, .timeline, .messages]
}

/// What people were notified of, in the order in which it happened.
final class NotificationLog: Sendable {
    private let log = Mutex<[PersonNotified]>([])
    private let ended = Mutex<[String]>([])

    var events: [PersonNotified] { log.withLock { $0 } }
    /// The items and subjects of which the notifications have ended.
    var withdrawn: [String] { ended.withLock { $0 } }

    var subscribers: [EventSubscriber] {
        [
            EventSubscriber(PersonNotified.self) { event, _ in self.log.withLock { $0.append(event) } },
            EventSubscriber(NotificationWithdrawn.self) { event, _ in
                self.ended.withLock { $0.append(event.itemID) }
            },
            EventSubscriber(NotificationSubjectWithdrawn.self) { event, _ in
                self.ended.withLock { $0.append(event.subject) }
            },
        ]
    }
}

/// People with numbers, who write to each other in a database of their own.
struct SampleMessages: Sendable {
    let database: Database
    let keys: CurrentTextKeys
    let notifications: NotificationLog
    let folder: TemporaryFolder
    /// When acts happen.
    static let noon = Timestamp(microseconds: 1_800_000_000_000_000)

    /// Creates a migrated database with people, and runs `body` with it.
    static func run(
        people: Int, visibility: ProfileVisibility = .public, _ body: (SampleMessages) async throws -> Void
    ) async throws {
        try await withDatabase(of: .tested) { database, folder in
            let notifications = NotificationLog()
            database.register([EventSubscriber].messages + notifications.subscribers)
            try await database.write { transaction in
                for number in 0..<people {
                    try transaction.visibility.add(userID: name(number), visibility: visibility)
                }
            }
            let keys = CurrentTextKeys(
                file: TextKeyFile(path: folder.file("messages/messages.key")), tables: [Domain].tested.sealedTexts)
            try await body(
                SampleMessages(database: database, keys: keys, notifications: notifications, folder: folder))
        }
    }

    /// The id of a person.
    static func name(_ number: Int) -> String { "person \(number)" }

    static let song = MessageSong(
        title: "Eple", artists: ["Röyksopp"], album: "Melody A.M.", durationMs: 216_000, isrc: nil, isExplicit: nil,
        pictures: [], preview: nil, spotifyID: nil, appleID: nil, appleCountry: nil)

    /// A client's id with a number.
    static func clientID(_ number: Int) -> String {
        "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - "\(number)".count) + "\(number)"
    }

    private struct Empty: Error {}

    static func draft(_ number: Int, _ text: String? = "Hello", hasSong: Bool = false) throws -> MessageDraft {
        let draft = MessageDraft(clientID: clientID(number), text: text, songParts: hasSong ? ["listen", "1"] : [])
        guard let draft else { throw Empty() }
        return draft
    }

    // MARK: Acts

    /// The id of the thread of two people.
    func thread(_ one: Int, _ other: Int, now: Timestamp = noon) async throws -> String {
        try await database.write {
            try $0.messages.openThread(with: Self.name(other), by: Self.name(one), now: now).id
        }
    }

    @discardableResult
    func send(
        _ number: Int, _ text: String? = "Hello", hasSong: Bool = false, in thread: String, by person: Int,
        zone: String? = nil, now: Timestamp = noon
    ) async throws -> MessageOutcome {
        let draft = try Self.draft(number, text, hasSong: hasSong)
        return try await database.write { [keys] in
            try $0.messages.send(
                draft, showing: hasSong ? Self.song : nil, in: thread, by: Self.name(person), zone: zone,
                sealedBy: keys, now: now)
        }
    }

    /// Sends a message, and returns its id.
    func sent(
        _ number: Int, _ text: String? = "Hello", hasSong: Bool = false, in thread: String, by person: Int,
        now: Timestamp = noon
    ) async throws -> MessageID {
        switch try await send(number, text, hasSong: hasSong, in: thread, by: person, now: now) {
        case .sent(let message), .known(let message): message.id
        }
    }

    func delete(_ id: MessageID, in thread: String, by person: Int) async throws {
        try await database.write {
            try $0.messages.delete(id, in: thread, by: Self.name(person), now: Self.noon)
        }
    }

    func accept(_ thread: String, by person: Int) async throws {
        try await database.write { try $0.messages.accept(thread, by: Self.name(person), now: Self.noon) }
    }

    func decline(_ thread: String, by person: Int) async throws {
        try await database.write { try $0.messages.decline(thread, by: Self.name(person), now: Self.noon) }
    }

    @discardableResult
    func read(_ number: Int64, in thread: String, by person: Int) async throws -> (number: Int64, unread: Int) {
        try await database.write {
            try $0.messages.moveMark(to: number, in: thread, of: Self.name(person), now: Self.noon)
        }
    }

    func choose(_ person: Int, _ change: @escaping @Sendable (inout MessageSettings) -> Void) async throws {
        _ = try await database.write { try $0.messages.changeSettings(of: Self.name(person), now: Self.noon, change) }
    }

    /// Changes who may see a person's profile.
    func show(_ person: Int, _ visibility: ProfileVisibility) async throws {
        try await database.write { try $0.visibility.setVisibility(visibility, userID: Self.name(person)) }
    }

    func suspend(_ number: Int) async throws {
        _ = try await database.write { try $0.visibility.suspend(userID: Self.name(number)) }
    }

    func reinstate(_ number: Int) async throws {
        _ = try await database.write { try $0.visibility.reinstate(userID: Self.name(number)) }
    }

    func follow(_ other: Int, by number: Int) async throws {
        try await between(number, other) { try $0.follow($2, by: $1, now: Self.noon) }
    }

    /// Two people who follow each other.
    func befriend(_ one: Int, _ other: Int) async throws {
        try await follow(other, by: one)
        try await follow(one, by: other)
    }

    func block(_ other: Int, by number: Int) async throws {
        try await between(number, other) { try $0.block($2, by: $1, now: Self.noon) }
    }

    func unblock(_ other: Int, by number: Int) async throws {
        try await between(number, other) { try $0.unblock($2, by: $1, now: Self.noon) }
    }

    private func between(
        _ one: Int, _ other: Int,
        _ act: @escaping @Sendable (VisibilityStore<WriteTransaction>, PersonKey, PersonKey) throws -> Bool
    ) async throws {
        try await database.write { transaction in
            guard let own = try transaction.visibility.key(ofUser: Self.name(one)),
                let their = try transaction.visibility.key(ofUser: Self.name(other))
            else { return }
            _ = try act(transaction.visibility, own, their)
        }
    }

    /// Erases a person, as the gateway does in several transactions.
    func erase(_ number: Int) async throws {
        try await database.write { try $0.visibility.close(userID: Self.name(number)) }
        _ = try await PersonalTables(of: .tested).eraseRows(
            of: Self.name(number), in: database, by: SteppedWrites(database, checkpoints: true))
    }
}
