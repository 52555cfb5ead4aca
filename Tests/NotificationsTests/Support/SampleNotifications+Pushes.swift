import DomainEvents
import Model
import NotificationSources
import Notifications
import Storage
import Visibility

extension SampleNotifications {
    static let host = "push.example"

    /// The id of a target with a number.
    static func targetID(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

    /// Posts a target.
    @discardableResult
    func addTarget(
        _ number: Int = 0, of person: Int, channel: NotificationChannel = .webPush, host: String = host,
        fingerprint: String? = nil, session: String = "session", now: Timestamp = noon
    ) async throws -> PushTarget {
        let target = NewPushTarget(
            channel: channel, host: host, fingerprint: fingerprint ?? "\(person) \(number)",
            secret: Secret("address \(number)"))
        return try await database.write { [sealer] transaction in
            try transaction.notifications.putTarget(
                target, id: Self.targetID(number), of: Self.name(person), credential: .session(hash: session),
                by: sealer, now: now
            ).target
        }
    }

    func targets(of person: Int) async throws -> [PushTarget] {
        let key = try await key(person)
        return try await database.read { try $0.notifications.targets(of: key) }
    }

    /// Decides when new intents are due, as the gateway does.
    func release(at now: Timestamp = noon, reading: Set<Int> = []) async throws {
        let readers = Set(reading.map(Self.name))
        _ = try await database.write {
            try $0.notifications.release(now: now, limit: 1_000) { readers.contains($0) }
        }
    }

    /// Takes what is due, as a worker does.
    func take(at now: Timestamp = noon, host: String = host, limit: Int = 64) async throws -> TakenPushes {
        let accounts = accounts
        return try await database.write {
            try $0.notifications.take(
                host: host, kinds: Self.kinds, accounts: accounts, now: now, limit: limit)
        }
    }

    /// Releases and takes.
    func due(at now: Timestamp = noon) async throws -> [PushDelivery] {
        try await release(at: now)
        return try await take(at: now).deliveries
    }

    @discardableResult
    func finish(
        _ deliveries: [PushDelivery], as ending: PushEnding = .sent, at now: Timestamp = noon
    ) async throws -> [PushRefusal] {
        try await database.write { transaction in
            try deliveries.compactMap {
                try transaction.notifications.finish($0, as: ending, interval: .seconds(60), now: now)
            }
        }
    }

    /// What deliveries show.
    func titles(of deliveries: [PushDelivery], to person: Int) async throws -> [String] {
        try await read(as: person) { try $0.pushes(deliveries).map(\.content.title) } ?? []
    }

    func choose(
        _ channels: [NotificationKind: Set<NotificationChannel>] = [:], of person: Int,
        change: @escaping @Sendable (inout NotificationChoices) -> Void = { _ in }
    ) async throws {
        try await database.write {
            try $0.notifications.choose(
                channels: channels, of: Self.name(person), kinds: Self.kinds, change: change)
        }
    }
}

extension SampleNotifications {
    /// The number of a person's rows in a table of this domain.
    func rows(of table: StaticString, person: PersonKey) async throws -> Int {
        try await database.read {
            try $0.row("SELECT COUNT(*) AS count FROM \(trusted: table) WHERE person = \(person)")?["count"] ?? 0
        }
    }
}

extension Timestamp {
    func after(seconds: Int) -> Timestamp { advanced(by: .seconds(seconds)) }
}
