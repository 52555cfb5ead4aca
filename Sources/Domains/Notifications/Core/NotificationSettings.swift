import Model
import Settings

/// The settings of notifications.
package struct NotificationSettings: SettingsSection {
    /// How long notifications are kept after their last event.
    package var retention: Duration

    package static let keys = [retentionDays.summary]

    package init(reading reader: inout ConfigurationReader) {
        retention = reader.value(Self.retentionDays)
    }

    private static let retentionDays = ConfigurationKey(
        "notifications.retentionDays", .days(1...3_650), default: .seconds(90 * 86_400),
        meaning: "Days for which notifications are kept after their last event.")
}
