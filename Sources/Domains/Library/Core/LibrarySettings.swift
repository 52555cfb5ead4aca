import Settings

/// The settings of people's libraries.
package struct LibrarySettings: SettingsSection {
    /// The interval at which people's libraries are synced; `nil` if they are synced only on request.
    package var syncInterval: Duration?
    /// The age at which changes are deleted from the change logs.
    package var historyRetention: Duration
    /// How long to wait after a lost response before Spotify is read to see whether the edit was made.
    package var spotifyConsistencyDelay: Duration
    /// The same for Apple Music.
    package var appleMusicConsistencyDelay: Duration

    package static let keys = [
        Keys.syncHours.summary, Keys.historyDays.summary, Keys.spotifyConsistencyDelay.summary,
        Keys.appleMusicConsistencyDelay.summary,
    ]

    package init(reading reader: inout ConfigurationReader) {
        let interval = reader.value(Keys.syncHours)
        syncInterval = interval == .zero ? nil : interval
        historyRetention = reader.value(Keys.historyDays)
        spotifyConsistencyDelay = reader.value(Keys.spotifyConsistencyDelay)
        appleMusicConsistencyDelay = reader.value(Keys.appleMusicConsistencyDelay)
    }
}

private enum Keys {
    static let syncHours = ConfigurationKey(
        "library.syncHours", .hours(0...8_760), default: .seconds(24 * 3_600),
        meaning: """
            Hours between two syncs of a person's Spotify and Apple Music libraries. The time of day differs from person
            to person. 0 syncs them only when somebody asks for it or connects a service.
            """)

    static let historyDays = ConfigurationKey(
        "library.historyDays", .days(1...3_650), default: .seconds(365 * 86_400),
        meaning: """
            Days after which a change to a person's library is deleted from the change log, together with the entries
            that a playlist had before it. What the library contains now is not affected.
            """)

    static let spotifyConsistencyDelay = ConfigurationKey(
        "library.spotifySettleSeconds", .seconds(1...3_600), default: .seconds(10),
        meaning: """
            Seconds to wait before Spotify is read after the response to a library edit was lost: the longest time that
            such a request may be under way. A request starts within the first half of this time, or is not made.
            """)

    static let appleMusicConsistencyDelay = ConfigurationKey(
        "library.appleMusicSettleSeconds", .seconds(1...3_600), default: .seconds(60),
        meaning: """
            The same for Apple Music, which shows changes late: after a lost response it is read only once changes are
            visible, and syncs read the entries of a changed playlist again only after this time.
            """)
}
