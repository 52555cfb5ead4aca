extension Migration {
    /// What is still to be cleaned of what was erased.
    static let cleaning = Migration(number: 20, name: "cleaning", statements: [])
}
