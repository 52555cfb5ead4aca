import Contracts
import Gateway
import JobStorage
import Jobs
import Model
import Notifications
import Push
import Storage

extension GatewayDomain {
    /// What people are notified of, and what is pushed to their devices.
    ///
    /// - Parameters:
    ///   - publicURL: `http.publicURL`; `nil` where none is configured.
    ///   - topicHash: recognizes a topic of ntfy by 64 hexadecimal digits, with a key that the database does not have.
    package static func notifications(
        _ services: GatewayServices, kinds: NotificationKinds, accounts: NotifiedAccounts,
        settings: NotificationSettings, push: PushSettings, publicURL: String?,
        topicHash: @escaping @Sendable (_ topic: Secret) -> String
    ) -> GatewayDomain {
        let (database, queue, gauges) = (services.database, services.queue, PushGauges())
        let parts = NotificationParts(
            database: database, kinds: kinds, accounts: accounts, pictures: services.pictures)
        let contact = push.contact(publicURL: publicURL)
        services.metrics.addSource { gauges.collect(into: &$0) }
        return GatewayDomain(
            "notifications",
            routes: { routing in
                let limit = services.maximumBodyBytes
                NotificationRoutes(parts: parts, maximumBodyBytes: limit).add(to: routing.signedIn)
                NotificationSettingRoutes(parts: parts, maximumBodyBytes: limit).add(to: routing.signedIn)
                PushTargetRoutes(
                    parts: parts, sealer: services.sealer, settings: push, topicHash: topicHash, contact: contact,
                    maximumBodyBytes: limit
                ).add(to: routing.signedIn)
                PushAdminRoutes(database: database, contact: contact).add(to: routing.signedIn)
            },
            eventSources: [.notifications(parts), .notificationReadMarks],
            upkeepSteps: [
                UpkeepStep("push", every: .seconds(1), startsAtOnce: true) { try await queue.push() },
                UpkeepStep("announce", every: .seconds(2), startsAtOnce: true) {
                    while try await database.read({ try $0.notifications.hasAnnouncements() }), !Task.isCancelled {
                        _ = try await database.write {
                            try $0.notifications.announce(
                                kinds: kinds, accounts: accounts, now: .now(), limit: readersAtOnce)
                        }
                    }
                },
                UpkeepStep("gauges", every: .seconds(15), startsAtOnce: true) {
                    gauges.set(try await database.read { try $0.notifications.pushBacklog(at: .now()) })
                },
                UpkeepStep(pruning: "prune", every: pruneInterval, startsAtOnce: true) { time in
                    try await database.deleteInBatches(at: time.before(settings.retention)) {
                        try $0.notifications.prune(lastBefore: $1, limit: $2)
                    }
                },
                UpkeepStep(pruning: "pruneTargets", every: pruneInterval, startsAtOnce: true) { time in
                    var last: PushTargetKey?
                    repeat {
                        let after = last
                        last = try await database.write {
                            try $0.notifications.pruneTargets(
                                after: after, accounts: accounts, now: time, limit: targetsAtOnce)
                        }
                    } while last != nil && !Task.isCancelled
                    try await database.write { try $0.notifications.pruneRefusals() }
                },
            ],
            pages: [
                SitePage("/notifications", module: "notifications/notifications.js", section: nil),
                SitePage("/profile/notifications", module: "notifications/settings.js", section: "profile"),
            ])
    }

    /// The most readers of a topic who are notified in one transaction.
    private static var readersAtOnce: Int { 50 }
    /// The most targets that are looked at in one transaction.
    private static var targetsAtOnce: Int { 200 }
}

extension JobQueue {
    /// The most intents that one transaction releases.
    private static let intentsAtOnce = 200

    /// Decides when new intents are due, and submits the job that sends what is due, unless it is there.
    fileprivate func push() async throws {
        while try await database.read({ try $0.notifications.hasNewIntents() }), !Task.isCancelled {
            let streams = events
            let count = try await database.write { transaction in
                try transaction.notifications.release(now: .now(), limit: Self.intentsAtOnce) {
                    streams.openStreams(ofUser: $0) > 0
                }
            }
            if count < Self.intentsAtOnce { break }
        }
        let key = "notifications.push"
        let isMissing = try await database.read { reader in
            try reader.notifications.isPushDue(at: .now())
                && reader.jobs.holder(ofUniqueKey: key, userID: SystemUser.id) == nil
        }
        guard isMissing else { return }
        try await write { transaction, submissions in
            do {
                try submissions.submit(
                    NewJob(kind: TypedJobKind.notificationsPush.kind, payload: "{}", uniqueKey: key),
                    userID: SystemUser.id, in: transaction)
            } catch SubmissionError.uniqueKeyReused {
                // The unfinished job is of an earlier version of its kind.
            }
        }
    }
}
