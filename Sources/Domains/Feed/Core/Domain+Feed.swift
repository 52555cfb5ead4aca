import Domains
import Storage

extension Domain {
    /// Feeds: what people hide and mute, how far they have read, and which topics they read.
    package static let feed = Domain(
        "feed", migrations: [.feedTables, .feedMarksAhead], personalTables: .feed)
}
