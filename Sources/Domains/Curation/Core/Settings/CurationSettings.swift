import Settings

/// The settings of the lists that are made for people.
package struct CurationSettings: SettingsSection {
    /// The names of Gemini's models, in the order in which they are asked.
    package var geminiModels: [String]
    /// The administrator's model servers, among which people choose. People who have neither made a choice nor
    /// have a Gemini key get the first one.
    package var endpoints: [Endpoint]
    /// The most tokens that models use for one person in a month; `nil` for no limit.
    package var monthlyTokens: Int?
    /// The prices of the models' tokens.
    package var prices: TokenPrices
    /// The interval at which people's recommendations are made; `nil` if they are made only on request.
    package var recommendationInterval: Duration?
    /// The age at which lists are deleted.
    package var historyRetention: Duration

    package static let keys =
        [
            Keys.geminiModels.summary, Keys.monthlyTokens.summary, Keys.prices.summary, Keys.priceCurrency.summary,
            Keys.recommendationHours.summary, Keys.historyDays.summary,
        ] + Endpoint.keys(NamedSections.placeholder)

    package static let namedSections = [Endpoint.sections]

    package init(reading reader: inout ConfigurationReader) {
        geminiModels = reader.value(Keys.geminiModels)
        endpoints = Endpoint.all(reading: &reader)
        let tokens = reader.value(Keys.monthlyTokens)
        monthlyTokens = tokens == 0 ? nil : tokens
        prices = TokenPrices(reader.value(Keys.prices), currency: reader.value(Keys.priceCurrency))
        let interval = reader.value(Keys.recommendationHours)
        recommendationInterval = interval == .zero ? nil : interval
        historyRetention = reader.value(Keys.historyDays)
    }
}

private enum Keys {
    static let geminiModels = ConfigurationKey(
        "ai.geminiModels", .modelNames, default: ["gemini-3.8-flash", "gemini-3.5-flash", "gemini-3.5-flash-lite"],
        meaning: """
            The Gemini models that make lists, separated by commas. If Google no longer offers a model, the next one is
            asked.
            """)

    static let monthlyTokens = ConfigurationKey(
        "ai.monthlyTokens", .integer(0...1_000_000_000), default: 2_000_000,
        meaning: """
            The most tokens that models may use for one person in a calendar month (UTC). Beyond it, lists are made
            without a model. 0 sets no limit.
            """)

    static let prices = ConfigurationKey(
        "ai.prices", .tokenPrices, default: [], example: "gemini-3.8-flash=1.00/4.00, llama3.1:8b=0/0.05",
        meaning: """
            The price of a million input tokens and of a million output tokens for each model, so that lists can show
            what they cost. The examples are not real prices: docs/operations.md says where to find Google's. Unset, no
            costs are shown.
            """)

    static let priceCurrency = ConfigurationKey(
        "ai.priceCurrency", .currency, default: "USD",
        meaning: "The currency of ai.prices.")

    static let recommendationHours = ConfigurationKey(
        "ai.recommendationHours", .hours(0...8_760), default: .seconds(24 * 3_600),
        meaning: """
            Hours after which a person's recommendations are made again, for people who have asked for some in the last
            30 days. 0 makes them only on request.
            """)

    static let historyDays = ConfigurationKey(
        "ai.historyDays", .days(1...3_650), default: .seconds(365 * 86_400),
        meaning: "Days after which a list that was made for a person is deleted.")
}
