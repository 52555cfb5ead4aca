import Model

/// A model with which lists are made for one person. The closure throws `ProviderFailure`.
package struct LanguageModel: Sendable {
    /// The most tokens that question and answer may have together; `nil` if that is more than a question ever has.
    package var contextTokens: Int?
    /// Whether its provider is known to make answers conform to a schema. Other models tend to invent songs, so they
    /// only choose among songs that they are given.
    package var takesSchemas: Bool
    package var ask: @Sendable (ModelQuestion) async throws -> ModelReply

    package init(
        contextTokens: Int? = nil, takesSchemas: Bool = true,
        ask: @escaping @Sendable (ModelQuestion) async throws -> ModelReply
    ) {
        (self.contextTokens, self.takesSchemas, self.ask) = (contextTokens, takesSchemas, ask)
    }
}

/// The result of asking a model.
package struct ModelReply: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        case text(String)
        /// Text in the place of thoughts, if there is no other text. It may be an answer. If it is not, `otherwise`
        /// says for people that there is none, and asking again may help.
        case thoughts(String, otherwise: String)
        /// There was not enough room. The text is what there is of the answer, which may still be complete.
        case cutOff(String)
        /// The model or its provider refused the question. The text says why, for people.
        case refused(String)
        /// There is no answer for another reason, which the text gives, for people. Asking again may help.
        case nothing(String)
    }

    package var outcome: Outcome
    package var model: String
    /// The tokens as the provider counted them, or an estimate of the total if it did not.
    package var tokens: TokenUsage
    /// `nil` if not known.
    package var cost: Money?

    package init(_ outcome: Outcome, model: String, tokens: TokenUsage, cost: Money?) {
        (self.outcome, self.model, self.tokens, self.cost) = (outcome, model, tokens, cost)
    }
}

/// Looks songs up in a service's catalog. The closure throws `ProviderFailure`.
package struct SongCatalog: Sendable {
    package var service: MusicSource
    package var find: @Sendable (_ title: String, _ artist: String) async throws -> SongMatch

    package init(
        service: MusicSource, find: @escaping @Sendable (_ title: String, _ artist: String) async throws -> SongMatch
    ) {
        (self.service, self.find) = (service, find)
    }
}

/// A service's match for a song that was named.
package struct SongMatch: Codable, Sendable, Hashable {
    /// The song as edits name it; `nil` if the service has no certain match.
    package var reference: String?
    package var title = ""
    package var artist = ""
    package var album = ""
    package var durationMs: Int?
    package var isrc: String?
    package var year: Int?
    package var isExplicit: Bool?
    /// Whether the person's library has it.
    package var isKnown = false
    /// The closest match, as `Artist – Title`.
    package var nearest: String?

    package init() {}
}
