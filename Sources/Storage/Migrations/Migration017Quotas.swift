extension Migration {
    /// What people use of what they may.
    static let quotas = Migration(number: 17, name: "quotas", statements: [])
}
