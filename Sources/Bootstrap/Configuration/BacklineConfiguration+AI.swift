import Model

extension BacklineConfiguration {
    /// How lists are made for people.
    package struct AI: Sendable, Equatable {
        /// The names of Gemini's models, in the order in which they are asked.
        package var geminiModels: [String]
        /// The administrator's servers of models, among which people choose. Those who have neither chosen nor have a
        /// Gemini key get the first one.
        package var endpoints: [Endpoint]
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
            endpoints = Endpoint.all(reading: &reader)
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
        /// By which people choose it.
        package var name: String
        /// With `/v1`.
        package var url: String
        package var model: String
        /// Read by ai-workers alone.
        package var keyFile: String?
        /// Of question and answer together.
        package var contextTokens: Int
        package var timeout: Duration

        /// In the order of the file, then those that variables add.
        static func all(reading reader: inout ConfigurationReader) -> [Endpoint] {
            NamedSections.aiEndpoints.names(reading: &reader).compactMap { Endpoint(name: $0, reading: &reader) }
        }

        /// `nil` when a key is missing or wrong, which is reported to the reader.
        private init?(name: String, reading reader: inout ConfigurationReader) {
            let url = reader.required(ConfigurationKeys.aiEndpointURL(name))
            let model = reader.required(ConfigurationKeys.aiEndpointModel(name))
            keyFile = reader.value(ConfigurationKeys.aiEndpointKeyFile(name))
            contextTokens = reader.value(ConfigurationKeys.aiEndpointContextTokens(name))
            timeout = reader.value(ConfigurationKeys.aiEndpointTimeoutSeconds(name))
            guard let url, let model else { return nil }
            (self.name, self.url, self.model) = (name, url, model)
        }
    }
}
