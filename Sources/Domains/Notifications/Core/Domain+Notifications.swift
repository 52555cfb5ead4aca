import Contracts
import Domains
import Push
import Storage

extension Domain {
    /// What people are notified of, in the pages and on their devices.
    package static let notifications = Domain(
        "notifications", migrations: [.notificationTables, .notificationTargetPauses],
        personalTables: .notifications,
        jobKinds: [TypedJobKind.notificationsPush.kind],
        restoreMarks: [.notifications], settings: [NotificationSettings.self, PushSettings.self])
}
