import Curation

extension BacklineConfiguration {
    /// The configuration of the lists that are made for people.
    package struct AI: Sendable, Equatable {
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

    /// A server with OpenAI's chat completions API.
    package struct Endpoint: Sendable, Equatable {
        /// The name by which people choose the server.
        package var name: String
        /// The base URL, ending in `/v1`.
        package var url: String
        package var model: String
        /// The file with the server's key, which only ai-workers read.
        package var keyFile: String?
        /// The most tokens of prompt and answer together.
        package var contextTokens: Int
        package var timeout: Duration

        /// All endpoints: first those of the file, in its order, then those that only variables define.
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
