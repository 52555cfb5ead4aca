import Model
import Settings

/// Keys for what one person may use.
extension ConfigurationKeys {
    static let quotasUnfinishedJobs = ConfigurationKey(
        Quota.unfinishedJobs.key, .integer(0...1_000_000_000), default: 10_000,
        meaning: """
            The most unfinished jobs of one person. Only jobs that the person submitted count, not those that Backline
            submits itself, such as sign-ins, checks of keys and schedules. 0 sets no limit.
            """)

    static let quotasUnfinishedBytes = ConfigurationKey(
        Quota.unfinishedBytes.key, .integer(0...1_099_511_627_776), default: 268_435_456,
        meaning: "The most bytes in these jobs' payloads together. 0 sets no limit.")

    static let quotasRunningSearches = ConfigurationKey(
        Quota.runningSearches.key, .integer(0...1_000_000), default: 10,
        meaning: """
            The most concert searches of one person that may wait for Ticketmaster at once. A search that the database
            can answer does not count. 0 sets no limit.
            """)

    static let quotasEventStreams = ConfigurationKey(
        Quota.eventStreams.key, .integer(0...1_000_000), default: 20,
        meaning: """
            The most event streams that one person may have open at once. Each browser window with a visible page has
            one. 0 sets no limit.
            """)

    static let quotasListens = ConfigurationKey(
        Quota.listens.key, .integer(0...1_000_000_000), default: 3_000_000,
        meaning: """
            The most listens stored for one person, counted once for each source that reports them. A listen takes about
            240 bytes. Beyond it, programs that send listens get status 503, and imports fail. 0 sets no limit.
            """)

    static let quotasListenBytes = ConfigurationKey(
        Quota.listenBytes.key, .integer(0...1_099_511_627_776), default: 536_870_912,
        meaning: """
            The most bytes that the songs of one person's listens may take, together with the details that programs and
            files report about them. 0 sets no limit.
            """)
}

extension Quotas {
    init(reading reader: inout ConfigurationReader) {
        func limit(_ value: Int) -> Int? { value == 0 ? nil : value }
        self.init(
            unfinishedJobs: limit(reader.value(ConfigurationKeys.quotasUnfinishedJobs)),
            unfinishedBytes: limit(reader.value(ConfigurationKeys.quotasUnfinishedBytes)),
            runningSearches: limit(reader.value(ConfigurationKeys.quotasRunningSearches)),
            eventStreams: limit(reader.value(ConfigurationKeys.quotasEventStreams)),
            listens: limit(reader.value(ConfigurationKeys.quotasListens)),
            listenBytes: limit(reader.value(ConfigurationKeys.quotasListenBytes)))
    }
}
