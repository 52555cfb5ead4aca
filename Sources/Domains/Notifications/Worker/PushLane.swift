import Model
import Notifications
import NotificationSources
import Push
import Storage
import Visibility

/// Sends what was taken for one host. Each host has its own lane, so that a slow one delays no other.
struct PushLane: Sendable {
    /// The most pushes under way to one host.
    private static let concurrency = 8
    /// How long the rest of a host's pushes wait after one that was not answered.
    private static let failurePause = Duration.seconds(30)

    let database: Database
    let kinds: NotificationKinds
    let accounts: NotifiedAccounts
    let services: PushServiceAccess
    /// Scheme, host and port of the site.
    let siteURL: String

    /// What became of a delivery.
    struct Outcome: Sendable {
        let delivery: PushDelivery
        let ending: PushEnding
    }

    /// One push: of one group, or of all that has waited for the end of quiet hours.
    private struct Order: Sendable {
        let deliveries: [PushDelivery]
        let message: PushServiceAccess.Message
    }

    /// - Throws: `CancellationError`; `StorageError`.
    func run(_ taken: TakenPushes) async throws -> [Outcome] {
        let (orders, dropped) = try await orders(for: taken.deliveries)
        var outcomes = dropped.map { Outcome(delivery: $0, ending: .dropped) }
        try await withThrowingTaskGroup(of: (Order, PushEnding, Bool).self) { sending in
            var (rest, hostFails) = (orders[...], false)
            func startNext() {
                guard !hostFails, let order = rest.popFirst() else { return }
                sending.addTask { [services] in
                    let first = order.deliveries[0]
                    let (ending, hostFails) = try await services.send(
                        order.message, to: first.target, of: first.userID,
                        channel: taken.channels[first.target] ?? .page, sealed: taken.secrets[first.target])
                    return (order, ending, hostFails)
                }
            }
            for _ in 0..<Self.concurrency { startNext() }
            while let (order, ending, fails) = try await sending.next() {
                hostFails = hostFails || fails
                outcomes += order.deliveries.map { Outcome(delivery: $0, ending: ending) }
                startNext()
            }
            let later = Timestamp.now().advanced(by: Self.failurePause)
            outcomes += rest.flatMap(\.deliveries).map { Outcome(delivery: $0, ending: .again(at: later)) }
        }
        return outcomes
    }

    /// What the pushes show at this moment, and the deliveries that show nothing any more.
    private func orders(
        for deliveries: [PushDelivery]
    ) async throws -> (orders: [Order], dropped: [PushDelivery]) {
        let (kinds, accounts) = (kinds, accounts)
        let now = Timestamp.now()
        return try await database.read { reader in
            var (orders, dropped): ([Order], [PushDelivery]) = ([], [])
            var written: [PushTargetKey: [WrittenNotification]] = [:]
            let byTarget = Dictionary(grouping: deliveries, by: \.target)
            for (target, owed) in byTarget {
                guard let userID = owed.first?.userID, let viewer = try reader.visibility.viewer(userID: userID) else {
                    continue
                }
                let writer = NotificationWriter(reader, viewer: viewer, kinds: kinds, accounts: accounts)
                written[target] = try writer.pushes(owed)
            }
            for (target, owed) in byTarget.sorted(by: {
                ($0.key.person.rawValue, $0.key.id) < ($1.key.person.rawValue, $1.key.id)
            }) {
                let shown = written[target] ?? []
                let byGroup = Dictionary(shown.map { ($0.key, $0) }) { first, _ in first }
                dropped += owed.filter { byGroup[$0.group] == nil }
                let waited = owed.filter { $0.hasWaited && byGroup[$0.group] != nil }
                let single = waited.count > 1 ? owed.filter { !$0.hasWaited } : owed
                for delivery in single {
                    guard let notification = byGroup[delivery.group] else { continue }
                    orders.append(Order(deliveries: [delivery], message: message(of: notification, delivery, now)))
                }
                if waited.count > 1 {
                    let groups = Set(waited.map(\.group))
                    orders.append(
                        Order(
                            deliveries: waited,
                            message: summary(of: shown.filter { groups.contains($0.key) }, waited, now)))
                }
            }
            return (orders, dropped)
        }
    }

    private func message(
        of written: WrittenNotification, _ delivery: PushDelivery, _ now: Timestamp
    ) -> PushServiceAccess.Message {
        PushServiceAccess.Message(
            notification: PushNotification(
                title: written.content.title, body: written.content.body.isEmpty ? nil : written.content.body,
                address: siteURL + written.content.path, tag: "notification-" + written.id, language: "en"),
            topic: PushTopic(group: written.id, receiver: delivery.target.id),
            urgency: kinds[written.group.kind]?.urgency ?? .normal,
            timeToLive: now.duration(to: delivery.end))
    }

    /// What has waited for the end of quiet hours, as one.
    private func summary(
        of written: [WrittenNotification], _ deliveries: [PushDelivery], _ now: Timestamp
    ) -> PushServiceAccess.Message {
        let titles = written.prefix(3).map(\.content.title)
        let more = written.count - titles.count
        return PushServiceAccess.Message(
            notification: PushNotification(
                title: "\(written.count) new notifications",
                body: titles.joined(separator: "\n") + (more > 0 ? "\nand \(more) more" : ""),
                address: siteURL + "/notifications", tag: "notifications", language: "en"),
            topic: PushTopic(group: "summary", receiver: deliveries[0].target.id), urgency: .normal,
            timeToLive: now.duration(to: deliveries.map(\.end).max() ?? now))
    }
}

extension PushDelivery {
    fileprivate var end: Timestamp { Timestamp(microseconds: endsAt) }
}
