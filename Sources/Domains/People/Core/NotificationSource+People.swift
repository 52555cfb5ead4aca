import DomainEvents
import NotificationSources

extension NotificationKind {
    /// Somebody follows the person for the first time. The item is the id of the follower.
    package static let follow = NotificationKind(rawValue: "follow")
    /// Somebody asks to follow the person for the first time. The item is the id of who asks.
    package static let followRequest = NotificationKind(rawValue: "followRequest")
    /// An administrator has decided on a report of the person. The item is the id of the report.
    package static let reportDecided = NotificationKind(rawValue: "reportDecided")
}

extension [NotificationSource] {
    /// What people are notified of by what others do toward them.
    package static let people: Self = [
        NotificationSource(.follow, label: "New followers", urgency: .low) { group, _ in
            NotificationContent(
                title: "\(group.names) \(group.verb("follows", "follow")) you", path: "/people/followers")
        },
        // The answer to a request should not be limited to those whom one follows already.
        NotificationSource(.followRequest, label: "Requests to follow you", asksPolicy: false) { group, _ in
            NotificationContent(
                title: "\(group.names) \(group.verb("asks", "ask")) to follow you", path: "/people/requests")
        },
        NotificationSource(.reportDecided, label: "Decisions about your reports", urgency: .low) { group, _ in
            // It says neither what was decided nor about whom: that is the other person's.
            let reports =
                group.events.count == 1 && !group.hasMore
                ? "your report" : group.count("report", plural: "of your reports")
            return NotificationContent(
                title: "An administrator has decided on \(reports)", path: "/notifications")
        },
    ]
}
