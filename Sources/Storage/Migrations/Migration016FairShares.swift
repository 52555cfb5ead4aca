extension Migration {
    /// Under whom jobs queue that Backline makes for people.
    static let fairShares = Migration(number: 16, name: "fair shares", statements: [])
}
