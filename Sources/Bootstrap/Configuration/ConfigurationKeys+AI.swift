/// Keys for the lists that are made for people.
extension ConfigurationKeys {
    static let aiGeminiModels = ConfigurationKey(
        "ai.geminiModels", .modelNames, default: ["gemini-3.8-flash", "gemini-3.5-flash", "gemini-3.5-flash-lite"],
        meaning: """
            The Gemini models that make lists, separated by commas. If Google no longer offers a model, the next one is
            asked.
            """)

    static let aiMonthlyTokens = ConfigurationKey(
        "ai.monthlyTokens", .integer(0...1_000_000_000), default: 2_000_000,
        meaning: """
            The most tokens that models may use for one person in a calendar month (UTC). Beyond it, lists are made
            without a model. 0 sets no limit.
            """)

    static let aiPrices = ConfigurationKey(
        "ai.prices", .tokenPrices, default: [], example: "gemini-3.8-flash=1.00/4.00, llama3.1:8b=0/0.05",
        meaning: """
            The price of a million input tokens and of a million output tokens for each model, so that lists can show
            what they cost. The examples are not real prices: docs/operations.md says where to find Google's. Unset, no
            costs are shown.
            """)

    static let aiPriceCurrency = ConfigurationKey(
        "ai.priceCurrency", .currency, default: "USD",
        meaning: "The currency of ai.prices.")

    static let aiRecommendationHours = ConfigurationKey(
        "ai.recommendationHours", .hours(0...8_760), default: .seconds(24 * 3_600),
        meaning: """
            Hours after which a person's recommendations are made again, for people who have asked for some in the last
            30 days. 0 makes them only on request.
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
                A server with OpenAI's chat completions API, such as Ollama, llama.cpp, vLLM or LM Studio. There may be
                several; without one, only Gemini is available. People choose a server by NAME, which you define:
                lower-case letters, digits and hyphens, beginning with a letter. For people who have neither made a
                choice nor entered a Gemini key, the first one makes the lists. The server's URL:
                """)
    }

    static func aiEndpointModel(_ name: String) -> ConfigurationKey<String?> {
        ConfigurationKey(
            NamedSections.aiEndpoints.path(name, "model"), optional: .modelName, example: "llama3.1:8b",
            meaning: "The model to request from this server. Another model on the same server needs its own section.")
    }

    static func aiEndpointKeyFile(_ name: String) -> ConfigurationKey<String?> {
        ConfigurationKey(
            NamedSections.aiEndpoints.path(name, "keyFile"), optional: .filePath,
            example: "/etc/backline/ai-endpoint.key",
            meaning: "A file that contains only this server's key, for servers that need one. Only ai-workers read it.")
    }

    static func aiEndpointContextTokens(_ name: String) -> ConfigurationKey<Int> {
        ConfigurationKey(
            NamedSections.aiEndpoints.path(name, "contextTokens"), .integer(1_024...1_000_000), default: 4_096,
            meaning: """
                The most tokens that the prompt and the answer may have together. A server may truncate longer prompts
                without notice.
                """)
    }

    static func aiEndpointTimeoutSeconds(_ name: String) -> ConfigurationKey<Duration> {
        ConfigurationKey(
            NamedSections.aiEndpoints.path(name, "timeoutSeconds"), .seconds(10...300), default: .seconds(300),
            meaning: """
                Seconds that one request to this server may take. The first one may spend minutes loading a model.
                """)
    }
}
