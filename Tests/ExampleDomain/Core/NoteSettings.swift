import Settings

/// The settings of notes.
package struct NoteSettings: SettingsSection {
    /// How long notes are kept.
    package var retention: Duration

    package static let keys = [retentionDays.summary]

    package init(reading reader: inout ConfigurationReader) {
        retention = reader.value(Self.retentionDays)
    }

    private static let retentionDays = ConfigurationKey(
        "notes.retentionDays", .days(1...3_650), default: .seconds(365 * 86_400),
        meaning: "Days for which notes are kept.")
}
