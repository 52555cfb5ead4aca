import DomainEvents
import Model
import Storage

/// A kind of notification: what people can choose about it, and how a group of its events is written. The domain whose
/// events it reports declares it in its core (`Domain/notifications`).
package struct NotificationSource: Sendable {
    package let kind: NotificationKind
    /// What the settings call it, such as `New followers`.
    package let label: String
    /// The channels of people who have chosen nothing.
    package let channels: Set<NotificationChannel>
    package let urgency: NotificationUrgency
    /// How long after an event a push about it still means something; `nil` for always. A later one is dropped, such as
    /// the warning that a day ends.
    package let usefulFor: Duration?
    /// The shortest time between two pushes of a group. Events in between are joined.
    package let pushInterval: Duration
    /// Whether it is held to whom the person lets notify them. Not where another setting decides whom one hears from, as
    /// for messages.
    package let asksPolicy: Bool
    /// Whether everybody who acts shows their name with it, also with a private profile, as with a follow. Otherwise
    /// those whom the person may not see are counted only (`Facet.isNamed`).
    package let namesEverybody: Bool
    /// What a group of events shows to its person at this moment; `nil` for nothing.
    package let write: @Sendable (_ group: NotificationGroup, _ reader: ReadTransaction) throws -> NotificationContent?

    /// - Parameters:
    ///   - usefulFor: at least a minute.
    ///   - pushInterval: at least a minute.
    ///   - write: gets the events that the group's person may see at this moment, at least one. It decides with its own
    ///     rows whether there is still something to show, in a bounded number of statements. It runs in the gateway, for
    ///     the page, and in the sync-worker, for a push, which may pass a server that can read it: it never writes what
    ///     is sealed at rest.
    package init(
        _ kind: NotificationKind, label: String, channels: Set<NotificationChannel> = [.page, .webPush, .ntfy],
        urgency: NotificationUrgency = .normal, usefulFor: Duration? = nil, pushInterval: Duration = .seconds(60),
        asksPolicy: Bool = true, namesEverybody: Bool = true,
        write:
            @escaping @Sendable (_ group: NotificationGroup, _ reader: ReadTransaction) throws -> NotificationContent?
    ) {
        precondition(pushInterval >= .seconds(60), "\(kind.rawValue): more than one push a minute")
        precondition(usefulFor.map { $0 >= .seconds(60) } ?? true, "\(kind.rawValue): useless at once")
        self.kind = kind
        self.label = label
        self.channels = channels
        self.urgency = urgency
        self.usefulFor = usefulFor
        self.pushInterval = pushInterval
        self.asksPolicy = asksPolicy
        self.namesEverybody = namesEverybody
        self.write = write
    }
}

/// Where a person is notified.
package enum NotificationChannel: String, Sendable, CaseIterable {
    /// The list of notifications in the pages and programs.
    case page
    /// Web Push (RFC 8030), which UnifiedPush speaks as well.
    case webPush
    case ntfy

    /// The value of columns and the bit of sets of channels in the database.
    package var number: Int64 {
        switch self {
        case .page: 1
        case .webPush: 2
        case .ntfy: 4
        }
    }

    /// Whether it is sent to a person's push targets.
    package var isPushed: Bool { self != .page }
}

/// How soon a device should be woken for a push, from least to most (RFC 8030, section 5.3).
package enum NotificationUrgency: String, Sendable, CaseIterable {
    case veryLow, low, normal, high
}
