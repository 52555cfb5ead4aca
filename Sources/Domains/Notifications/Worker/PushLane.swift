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
        var outcomes: [Outcome] = []
        try await withThrowingTaskGroup(
            of: (target: PushTargetKey, outcomes: [Outcome], hostFails: Bool).self
        ) { sending in
            var (queue, underWay, hostFails) = (PushQueue(Self.pushes(of: taken.deliveries)), 0, false)
            func start() {
                while !hostFails, underWay < Self.concurrency, let deliveries = queue.next() {
                    underWay += 1
                    sending.addTask { try await send(deliveries, of: taken) }
                }
            }
            start()
            while let sent = try await sending.next() {
                underWay -= 1
                hostFails = hostFails || sent.hostFails
                outcomes += sent.outcomes
                queue.finish(sent.target, endsTurn: sent.outcomes.contains { $0.ending.pausesTarget })
                start()
            }
            let now = Timestamp.now()
            // The ending that pauses the target has moved them, unless the target was posted again meanwhile.
            outcomes += queue.stopped.map { Outcome(delivery: $0, ending: .again(at: now)) }
            let later = now.advanced(by: Self.failurePause)
            outcomes += queue.rest.map { Outcome(delivery: $0, ending: .again(at: later)) }
        }
        return outcomes
    }

    /// The deliveries that are sent as one push: each alone, but all of a target that have waited for the end of quiet
    /// hours.
    private static func pushes(of deliveries: [PushDelivery]) -> [[PushDelivery]] {
        var pushes: [[PushDelivery]] = []
        var waited: [PushTargetKey: Int] = [:]
        for delivery in deliveries {
            if delivery.hasWaited, let place = waited[delivery.target] {
                pushes[place].append(delivery)
            } else {
                if delivery.hasWaited { waited[delivery.target] = pushes.count }
                pushes.append([delivery])
            }
        }
        return pushes
    }

    private func send(
        _ deliveries: [PushDelivery], of taken: TakenPushes
    ) async throws -> (target: PushTargetKey, outcomes: [Outcome], hostFails: Bool) {
        let target = deliveries[0].target
        let (order, dropped) = try await order(for: deliveries)
        let outcomes = dropped.map { Outcome(delivery: $0, ending: .dropped) }
        guard let order else { return (target, outcomes, false) }
        let first = order.deliveries[0]
        let (ending, hostFails) = try await services.send(
            order.message, to: first.target, of: first.userID, channel: taken.channels[first.target] ?? .page,
            sealed: taken.secrets[first.target])
        return (target, outcomes + order.deliveries.map { Outcome(delivery: $0, ending: ending) }, hostFails)
    }

    /// What a push shows at this moment, and its deliveries that show nothing any more. It is read right before the push
    /// is sent, since the others of the host take a while.
    private func order(
        for deliveries: [PushDelivery]
    ) async throws -> (order: Order?, dropped: [PushDelivery]) {
        let (kinds, accounts, userID) = (kinds, accounts, deliveries[0].userID)
        let shown = try await database.read { reader -> [WrittenNotification] in
            guard let viewer = try reader.visibility.viewer(userID: userID) else { return [] }
            return try NotificationWriter(reader, viewer: viewer, kinds: kinds, accounts: accounts).pushes(deliveries)
        }
        let now = Timestamp.now()
        let byGroup = Dictionary(shown.map { ($0.key, $0) }) { first, _ in first }
        let owed = deliveries.filter { byGroup[$0.group] != nil }
        let dropped = deliveries.filter { byGroup[$0.group] == nil }
        guard let first = owed.first, let notification = byGroup[first.group] else { return (nil, dropped) }
        let text = owed.count > 1 ? summary(of: shown, owed, now) : message(of: notification, first, now)
        return (Order(deliveries: owed, message: text), dropped)
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

extension PushEnding {
    /// Whether the target gets nothing more for now.
    fileprivate var pausesTarget: Bool {
        switch self {
        case .paused, .refused, .targetGone: true
        case .sent, .dropped, .again, .unanswered: false
        }
    }
}

extension PushDelivery {
    fileprivate var end: Timestamp { Timestamp(microseconds: endsAt) }
}
