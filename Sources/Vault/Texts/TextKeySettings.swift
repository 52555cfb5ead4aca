import Settings

/// The settings of private texts.
package struct TextKeySettings: SettingsSection {
    /// The file with the keys of private texts; for the gateway.
    package var keyFile: String

    package static let keys = [Self.file.summary]

    package init(reading reader: inout ConfigurationReader) {
        keyFile = reader.value(Self.file) ?? reader.path(besideDatabase: "messages/messages.key")
    }

    private static let file = ConfigurationKey(
        "vault.textKeyFile", optional: .filePath, example: "/etc/backline/messages.key",
        meaning: """
            The file with the keys of the private texts in the database: people's messages, and their reports to
            administrators. The gateway reads it, and creates it when the first text is written. Unset, it is
            messages/messages.key beside the database. Back it up separately from the database: without it, the texts
            cannot be read.
            """)
}
