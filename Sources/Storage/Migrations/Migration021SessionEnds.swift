extension Migration {
    /// When sessions end, and with which token.
    static let sessionEnds = Migration(number: 21, name: "session ends", statements: [])
}
