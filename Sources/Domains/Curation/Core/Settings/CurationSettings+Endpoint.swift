import Settings

extension CurationSettings {
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

        static let sections = NamedSections(
            parent: "ai.endpoints", mainKey: "url", reservedNames: ["gemini", "none"])

        /// All endpoints: first those of the file, in its order, then those that only variables define.
        static func all(reading reader: inout ConfigurationReader) -> [Endpoint] {
            sections.names(reading: &reader).compactMap { Endpoint(name: $0, reading: &reader) }
        }

        /// `nil` when a key is missing or wrong, which is reported to the reader.
        private init?(name: String, reading reader: inout ConfigurationReader) {
            let url = reader.required(Self.url(name))
            let model = reader.required(Self.model(name))
            keyFile = reader.value(Self.keyFile(name))
            contextTokens = reader.value(Self.contextTokens(name))
            timeout = reader.value(Self.timeoutSeconds(name))
            guard let url, let model else { return nil }
            (self.name, self.url, self.model) = (name, url, model)
        }
    }
}

/// The keys that exist once for each server.
extension CurationSettings.Endpoint {
    static func keys(_ name: String) -> [ConfigurationKeySummary] {
        [
            url(name).summary, model(name).summary, keyFile(name).summary, contextTokens(name).summary,
            timeoutSeconds(name).summary,
        ]
    }

    private static func url(_ name: String) -> ConfigurationKey<String?> {
        ConfigurationKey(
            sections.path(name, "url"), optional: .endpointURL, example: "http://127.0.0.1:11434",
            meaning: """
                A server with OpenAI's chat completions API, such as Ollama, llama.cpp, vLLM or LM Studio. There may be
                several; without one, only Gemini is available. People choose a server by NAME, which you define:
                lower-case letters, digits and hyphens, beginning with a letter. For people who have neither made a
                choice nor entered a Gemini key, the first one makes the lists. The server's URL:
                """)
    }

    private static func model(_ name: String) -> ConfigurationKey<String?> {
        ConfigurationKey(
            sections.path(name, "model"), optional: .modelName, example: "llama3.1:8b",
            meaning: "The model to request from this server. Another model on the same server needs its own section.")
    }

    private static func keyFile(_ name: String) -> ConfigurationKey<String?> {
        ConfigurationKey(
            sections.path(name, "keyFile"), optional: .filePath,
            example: "/etc/backline/ai-endpoint.key",
            meaning: "A file that contains only this server's key, for servers that need one. Only ai-workers read it.")
    }

    private static func contextTokens(_ name: String) -> ConfigurationKey<Int> {
        ConfigurationKey(
            sections.path(name, "contextTokens"), .integer(1_024...1_000_000), default: 4_096,
            meaning: """
                The most tokens that the prompt and the answer may have together. A server may truncate longer prompts
                without notice.
                """)
    }

    private static func timeoutSeconds(_ name: String) -> ConfigurationKey<Duration> {
        ConfigurationKey(
            sections.path(name, "timeoutSeconds"), .seconds(10...300), default: .seconds(300),
            meaning: """
                Seconds that one request to this server may take. The first one may spend minutes loading a model.
                """)
    }
}
