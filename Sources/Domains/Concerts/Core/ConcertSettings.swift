import Settings

/// The settings of concert searches.
package struct ConcertSettings: SettingsSection {
    /// How long concerts in the database count as fresh and are not requested from Ticketmaster again.
    package var freshness: Duration
    /// How long after the last search for an artist it is deleted.
    package var artistRetention: Duration
    /// The most calls that daily lookups for feeds may be expected to cost on a day; 0 makes none.
    package var refreshCallsPerDay: Int
    /// A file with further names of cities, which was readable when the configuration was loaded.
    package var cityNamesFile: String?

    package static let keys = [
        Keys.freshnessHours.summary, Keys.artistRetentionDays.summary, Keys.refreshCallsPerDay.summary,
        Keys.cityNamesFile.summary,
    ]

    package init(reading reader: inout ConfigurationReader) {
        freshness = reader.value(Keys.freshnessHours)
        artistRetention = reader.value(Keys.artistRetentionDays)
        refreshCallsPerDay = reader.value(Keys.refreshCallsPerDay)
        let key = Keys.cityNamesFile
        cityNamesFile = reader.value(key)
        if let cityNamesFile {
            do {
                _ = try SmallFile(path: cityNamesFile, maximumBytes: Self.maximumCityNamesBytes)
            } catch {
                reader.report(.error("\(key.path) names \(quoted(cityNamesFile)), which \(error.reason)"))
            }
        }
    }

    private static let maximumCityNamesBytes = 16_777_216
}

extension ConcertSettings {
    /// The built-in names of cities, together with those of ``cityNamesFile``.
    package var cityNames: CityNames {
        get throws { try cityNamesFile.map { try CityNames.builtIn.extended(byFileAt: $0) } ?? .builtIn }
    }
}

private enum Keys {
    static let freshnessHours = ConfigurationKey(
        "concerts.freshnessHours", .hours(1...8_760), default: .seconds(6 * 3_600),
        meaning: "Hours for which an artist's concerts count as fresh and are not requested from Ticketmaster again.")

    static let artistRetentionDays = ConfigurationKey(
        "concerts.artistRetentionDays", .days(1...3_650), default: .seconds(90 * 86_400),
        meaning: """
            Days after the last search for an artist until the artist and its concerts are deleted. Names that
            Ticketmaster does not know, and areas, are deleted as early as searches (jobs.retentionHours).
            """)

    static let refreshCallsPerDay = ConfigurationKey(
        "concerts.refreshCallsPerDay", .integer(0...1_000_000), default: 2_000,
        meaning: """
            The most requests to Ticketmaster per day (UTC) for refreshing ranked artists and home cities of people who
            opened Backline in the last 30 days. Each is refreshed once a day for all of these people. Beyond the limit,
            the rest waits until the next day. 0 looks up only new additions.
            """)

    static let cityNamesFile = ConfigurationKey(
        "concerts.cityNamesFile", optional: .filePath, example: "config/city-names.txt",
        meaning: "A file with further names of cities, added to the built-in list.")
}
