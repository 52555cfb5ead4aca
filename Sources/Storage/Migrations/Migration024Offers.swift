extension Migration {
    /// Offers around a show.
    static let offers = Migration(number: 24, name: "offers", statements: [])
}
