import Model

extension BacklineConfiguration {
    /// How lists are made for people.
    package struct AI: Sendable, Equatable {
        /// The names of Gemini's models, in the order in which they are asked.
        package var geminiModels: [String]
        /// The administrator's server of a model; `nil` without one.
        package var endpoint: Endpoint?
        /// The most tokens that models use for one person in a month; `nil` for no limit.
        package var monthlyTokens: Int?
        /// What the tokens of models cost.
        package var prices: TokenPrices
        /// The interval at which people's recommendations are made; `nil` where they are made on request alone.
        package var recommendationInterval: Duration?
        /// How long lists are kept.
        package var historyRetention: Duration

        init(reading reader: inout ConfigurationReader) {
            geminiModels = reader.value(ConfigurationKeys.aiGeminiModels)
            endpoint = Endpoint(reading: &reader)
            let tokens = reader.value(ConfigurationKeys.aiMonthlyTokens)
            monthlyTokens = tokens == 0 ? nil : tokens
            prices = TokenPrices(
                reader.value(ConfigurationKeys.aiPrices), currency: reader.value(ConfigurationKeys.aiPriceCurrency))
            let interval = reader.value(ConfigurationKeys.aiRecommendationHours)
            recommendationInterval = interval == .zero ? nil : interval
            historyRetention = reader.value(ConfigurationKeys.aiHistoryDays)
        }
    }

    /// A server with OpenAI's chat completions.
    package struct Endpoint: Sendable, Equatable {
        /// With `/v1`.
        package var url: String
        package var model: String
        /// Read by ai-workers alone.
        package var keyFile: String?
        /// Of question and answer together.
        package var contextTokens: Int
        package var timeout: Duration

        init?(reading reader: inout ConfigurationReader) {
            let (url, model) = (
                reader.value(ConfigurationKeys.aiEndpointURL), reader.value(ConfigurationKeys.aiEndpointModel)
            )
            keyFile = reader.value(ConfigurationKeys.aiEndpointKeyFile)
            contextTokens = reader.value(ConfigurationKeys.aiEndpointContextTokens)
            timeout = reader.value(ConfigurationKeys.aiEndpointTimeoutSeconds)
            guard let url else { return nil }
            guard let model else {
                reader.report(.error("ai.endpointURL is set and ai.endpointModel is not: name the model to ask for"))
                return nil
            }
            (self.url, self.model) = (url, model)
        }
    }
}
