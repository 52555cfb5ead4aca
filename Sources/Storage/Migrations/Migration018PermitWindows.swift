extension Migration {
    /// Several limits of one key, of requests and of what they weigh.
    static let permitWindows = Migration(number: 18, name: "permit windows", statements: [])
}
