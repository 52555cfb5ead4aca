import Accounts
import DomainEvents
import Domains
import Model
import NotificationSources
import Notifications
import Storage
import Synchronization
import TestSupport
import Timeline
import Vault
import Visibility

extension [Domain] {
    /// Those whose tables the tests use.
    static let tested: [Domain] = [
        .storage, .visibility, .accounts, .jobs, .permits, .vault, .timeline, .notifications,
    ]
}

extension NotificationKind {
    static let wave = NotificationKind(rawValue: "wave")
    /// Whoever looks does not show their name with it.
    static let look = NotificationKind(rawValue: "look")
    /// It means nothing an hour later.
    static let warning = NotificationKind(rawValue: "warning")
    /// Nobody acts.
    static let news = NotificationKind(rawValue: "news")
}

/// People with numbers, who wave at each other, with a database of their own.
struct SampleNotifications: Sendable {
    let database: Database
    let zones = Zones()
    let sealer: Sealer
    /// When things happen.
    static let noon = Timestamp(microseconds: 1_800_000_000_000_000)

    static let kinds = NotificationKinds([
        NotificationSource(.wave, label: "Waves") { group, _ in
            NotificationContent(title: "\(group.names) waved", body: group.count("wave"), path: "/waves")
        },
        NotificationSource(.look, label: "Looks", namesEverybody: false) { group, _ in
            NotificationContent(title: "\(group.names) \(group.verb("looks", "look"))", path: "/looks")
        },
        NotificationSource(.warning, label: "Warnings", usefulFor: .seconds(3_600)) { _, _ in
            NotificationContent(title: "The day ends", path: "/")
        },
        NotificationSource(.news, label: "News", channels: [.page]) { group, _ in
            group.subject == "gone" ? nil : NotificationContent(title: group.count("thing"), path: "/news")
        },
    ])

    /// The time zones of people.
    final class Zones: Sendable {
        private let zones = Mutex<[String: String]>([:])
        private let ended = Mutex<Set<PushCredential>>([])

        subscript(userID: String) -> String? { zones.withLock { $0[userID] } }

        func set(_ zone: String, of userID: String) { zones.withLock { $0[userID] = zone } }
        func end(_ credential: PushCredential) { _ = ended.withLock { $0.insert(credential) } }
        func isSignedIn(_ credential: PushCredential) -> Bool { ended.withLock { !$0.contains(credential) } }
    }

    /// Seals with a key of its own.
    final class Sealer: SecretSealer {
        let vault = Vault(keyring: VaultKeyring(current: .random()))

        func seal(_ secret: Secret, as name: SecretName, in _: WriteTransaction) throws -> SealedSecret {
            try vault.seal(secret, as: name)
        }
    }

    var accounts: NotifiedAccounts {
        NotifiedAccounts(
            zone: { [zones] in zones[$1] },
            actors: { reader, userIDs in
                try reader.accounts.summaries(ofUsers: userIDs).mapValues {
                    NotificationGroup.Actor(userID: $0.userID, username: $0.username, displayName: $0.displayName)
                }
            }, isSignedIn: { [zones] in zones.isSignedIn($1) })
    }

    /// Creates a migrated database with people, and runs `body` with it.
    static func run(people: Int, _ body: (SampleNotifications) async throws -> Void) async throws {
        try await withDatabase(of: .tested) { database, _ in
            let sample = SampleNotifications(database: database, sealer: Sealer())
            database.register([EventSubscriber].notifications(kinds, accounts: sample.accounts))
            try await database.write { transaction in
                for number in 0..<people { try transaction.insertPerson(id: name(number), name: "p\(number)") }
            }
            try await body(sample)
        }
    }

    /// The id of a person.
    static func name(_ number: Int) -> String { "person \(number)" }

    func key(_ number: Int) async throws -> PersonKey {
        try await database.read { try $0.visibility.key(ofUser: Self.name(number)) ?? PersonKey(rawValue: 0) }
    }

    // MARK: Events

    /// Publishes that somebody waved.
    func wave(
        at recipient: Int, by actor: Int?, item: String = UUIDv7.next(), kind: NotificationKind = .wave,
        subject: String = "", time: Timestamp = noon
    ) async throws {
        try await database.write { transaction in
            try transaction.publish(
                PersonNotified(
                    recipientID: Self.name(recipient), kind: kind, subject: subject, actorID: actor.map(Self.name),
                    itemID: item, time: time))
        }
    }

    func block(_ blocked: Int, by blocker: Int) async throws {
        let (blocked, blocker) = (try await key(blocked), try await key(blocker))
        _ = try await database.write { try $0.visibility.block(blocked, by: blocker, now: Self.noon) }
    }

    // MARK: Lists

    func page(of person: Int, after cursor: String? = nil, limit: Int = 20) async throws -> NotificationListPage {
        try await read(as: person) { try $0.page(after: cursor.flatMap(notificationList.cursor), limit: limit) }
            ?? NotificationListPage()
    }

    func titles(of person: Int) async throws -> [String] {
        try await page(of: person).items.map(\.content.title)
    }

    func unread(of person: Int) async throws -> Int {
        try await read(as: person) { try $0.unread().count } ?? 0
    }

    func read<Value: Sendable>(
        as person: Int, _ body: @escaping @Sendable (NotificationWriter) throws -> Value
    ) async throws -> Value? {
        let accounts = accounts
        return try await database.read { reader in
            guard let viewer = try reader.visibility.viewer(userID: Self.name(person)) else { return nil }
            return try body(NotificationWriter(reader, viewer: viewer, kinds: Self.kinds, accounts: accounts))
        }
    }
}
