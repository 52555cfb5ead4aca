import Storage

extension Migration {
    /// For marks that were set while the clock was ahead.
    static let feedMarksAhead = Migration(
        domain: "feed", number: 2, name: "marksAhead",
        statements: ["CREATE INDEX feed_marks_by_score ON feed_marks (score)"])
}
