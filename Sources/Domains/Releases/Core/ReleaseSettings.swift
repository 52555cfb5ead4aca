import Settings

/// The settings of new releases.
package struct ReleaseSettings: SettingsSection {
    /// How long people who have not opened Backline still have their artists read; `nil` if no artists are read.
    package var activity: Duration?
    /// The country of Apple Music's catalog, as in its addresses.
    package var appleMusicCountry: String
    /// How long artists whom nobody ranks or listens to any more stay, with their releases.
    package var artistRetention: Duration

    package static let keys = [
        Keys.activeDays.summary, Keys.appleMusicCountry.summary, Keys.artistRetentionDays.summary,
    ]

    package init(reading reader: inout ConfigurationReader) {
        let activity = reader.value(Keys.activeDays)
        self.activity = activity == .zero ? nil : activity
        appleMusicCountry = reader.value(Keys.appleMusicCountry)
        artistRetention = reader.value(Keys.artistRetentionDays)
    }
}

private enum Keys {
    static let activeDays = ConfigurationKey(
        "releases.activeDays", .days(0...365), default: .seconds(30 * 86_400),
        meaning: """
            Days for which the albums of a person's artists are still read daily after the person last opened Backline.
            0 turns new releases off.
            """)

    static let appleMusicCountry = ConfigurationKey(
        "releases.appleMusicCountry", .countryCode, default: "us",
        meaning: "The country in whose catalog of Apple Music the albums of artists are read, such as us or de.")

    static let artistRetentionDays = ConfigurationKey(
        "releases.artistRetentionDays", .days(1...3_650), default: .seconds(90 * 86_400),
        meaning: """
            Days after the last active person has removed an artist from their list, or stopped listening to the artist,
            until the artist and its releases are deleted.
            """)
}

extension ConfigurationRule where Value == String {
    /// Two letters, in lower case.
    fileprivate static var countryCode: Self {
        Self(
            allowed: "two letters, as in the addresses of music.apple.com",
            parse: { text in
                let code = text.lowercased()
                return code.utf8.count == 2 && code.utf8.allSatisfy { (0x61...0x7A).contains($0) } ? code : nil
            }, text: { $0 })
    }
}
