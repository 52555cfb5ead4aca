extension Migration {
    /// The place of the tables of songs' identity, which come with their own change: the number is theirs.
    static let identity = Migration(number: 26, name: "identity", statements: [])
}
