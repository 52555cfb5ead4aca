extension Migration {
    /// What people use of the calls that an installation has.
    static let lookupShares = Migration(number: 19, name: "lookup shares", statements: [])
}
