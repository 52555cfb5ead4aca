import DomainEvents
import Model
import NotificationSources

extension NotificationKind {
    /// A service can no longer be read before the person connects it again, or enters another key. The subject is the
    /// provider, the item the provider with the moment.
    package static let syncNeedsMe = NotificationKind(rawValue: "syncNeedsMe")
}

extension [NotificationSource] {
    /// What people are notified of about their connections.
    package static let connections: Self = [
        NotificationSource(.syncNeedsMe, label: "Services that need you") { group, _ in
            guard let provider = Provider(rawValue: group.subject) else { return nil }
            return NotificationContent(
                title: "\(provider.displayName) needs you",
                body: "Connect it again, so that Backline can continue to read it.", path: "/setup")
        }
    ]
}
