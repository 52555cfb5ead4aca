import Settings

/// The settings of people's listens.
package struct ListeningSettings: SettingsSection {
    /// The interval at which plays are read from Spotify while a person listens; `nil` if they are not read.
    package var spotifyInterval: Duration?

    package static let keys = [spotifySeconds.summary]

    package init(reading reader: inout ConfigurationReader) {
        let interval = reader.value(Self.spotifySeconds)
        spotifyInterval = interval == .zero ? nil : interval
    }

    private static let spotifySeconds = ConfigurationKey(
        "listening.spotifySeconds", .seconds(0...300), default: .seconds(240),
        meaning: """
            Seconds between two requests to Spotify for what a person has played, while the person is listening;
            otherwise five times as long. Spotify returns only the last 50 plays, which can span as little as 25
            minutes. 0 turns this off.
            """)
}
