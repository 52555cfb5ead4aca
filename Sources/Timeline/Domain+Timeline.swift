import Domains
import Storage

extension Domain {
    /// The items of all feeds, newest first for each author, and who reads which topics.
    package static let timeline = Domain(
        "timeline", migrations: [.timelineTables, .timelineMovedItems], personalTables: .timeline)
}
