import Storage

extension Migration {
    /// For follows that began while the clock was ahead.
    static let peopleFollowTimes = Migration(
        domain: "people", number: 2, name: "followTimes",
        statements: [
            "CREATE INDEX follow_beginnings_latest ON follow_beginnings (followed_at) WHERE number IS NOT NULL"
        ])
}
