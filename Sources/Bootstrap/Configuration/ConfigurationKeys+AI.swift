/// Keys of the lists that are made for people.
extension ConfigurationKeys {
    static let aiGeminiModels = ConfigurationKey(
        "ai.geminiModels", .modelNames, default: ["gemini-3.8-flash", "gemini-3.5-flash", "gemini-3.5-flash-lite"],
        meaning: """
            The models that make lists, separated by commas. When Google has no such model any more, the next one is
            asked.
            """)

    static let aiMonthlyTokens = ConfigurationKey(
        "ai.monthlyTokens", .integer(0...1_000_000_000), default: 2_000_000,
        meaning: """
            The most tokens that models use for one person in a calendar month (UTC). Beyond it lists are made without a
            model. 0 sets no limit.
            """)

    static let aiPrices = ConfigurationKey(
        "ai.prices", .tokenPrices, default: [], example: "gemini-3.8-flash=1.00/4.00, llama3.1:8b=0/0.05",
        meaning: """
            What a million input tokens and a million output tokens of models cost, so that lists say what they cost.
            These are no real prices: see docs/operations.md for where Google's are. Unset, no costs are shown.
            """)

    static let aiPriceCurrency = ConfigurationKey(
        "ai.priceCurrency", .currency, default: "USD",
        meaning: "The currency of ai.prices.")

    static let aiRecommendationHours = ConfigurationKey(
        "ai.recommendationHours", .hours(0...8_760), default: .seconds(24 * 3_600),
        meaning: """
            Hours from one making of a person's recommendations to the next, for those who have asked for some in the
            last 30 days. 0 makes them only when somebody asks.
            """)

    static let aiHistoryDays = ConfigurationKey(
        "ai.historyDays", .days(1...3_650), default: .seconds(365 * 86_400),
        meaning: "Days after which a list that was made for a person is deleted.")
}

/// Keys that exist once for each of the administrator's servers.
extension ConfigurationKeys {
    static func aiEndpointSummaries(_ name: String) -> [ConfigurationKeySummary] {
        [
            aiEndpointURL(name).summary, aiEndpointModel(name).summary, aiEndpointKeyFile(name).summary,
            aiEndpointContextTokens(name).summary, aiEndpointTimeoutSeconds(name).summary,
        ]
    }

    static func aiEndpointURL(_ name: String) -> ConfigurationKey<String?> {
        ConfigurationKey(
            NamedSections.aiEndpoints.path(name, "url"), optional: .endpointURL, example: "http://127.0.0.1:11434",
            meaning: """
                A server with OpenAI's chat completions, such as Ollama, llama.cpp, vLLM or LM Studio. There may be
                several, and without one there is Gemini alone. People choose one by NAME, which is yours: lower-case
                letters, digits and hyphens, beginning with a letter. Those who have neither chosen nor entered a
                Gemini key have their lists made with the first one. The server's URL:
                """)
    }

    static func aiEndpointModel(_ name: String) -> ConfigurationKey<String?> {
        ConfigurationKey(
            NamedSections.aiEndpoints.path(name, "model"), optional: .modelName, example: "llama3.1:8b",
            meaning: """
                The model that this server is asked for. Another model of the same server is a section of its own.
                """)
    }

    static func aiEndpointKeyFile(_ name: String) -> ConfigurationKey<String?> {
        ConfigurationKey(
            NamedSections.aiEndpoints.path(name, "keyFile"), optional: .filePath,
            example: "/etc/backline/ai-endpoint.key",
            meaning: """
                A file with nothing but the key of this server, for servers that need one. Only ai-workers read it.
                """)
    }

    static func aiEndpointContextTokens(_ name: String) -> ConfigurationKey<Int> {
        ConfigurationKey(
            NamedSections.aiEndpoints.path(name, "contextTokens"), .integer(1_024...1_000_000), default: 4_096,
            meaning: """
                The tokens that question and answer may have together. A server may cut longer questions without a word.
                """)
    }

    static func aiEndpointTimeoutSeconds(_ name: String) -> ConfigurationKey<Duration> {
        ConfigurationKey(
            NamedSections.aiEndpoints.path(name, "timeoutSeconds"), .seconds(10...300), default: .seconds(300),
            meaning: "Seconds that one request to this server may take. The first one may load a model for minutes.")
    }
}
