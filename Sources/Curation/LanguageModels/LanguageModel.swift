import Model

/// A model that lists are made with, for one person. The closure throws `ProviderFailure`.
package struct LanguageModel: Sendable {
    /// The tokens that question and answer may have together; `nil` for more than a question ever has.
    package var contextTokens: Int?
    /// Whether its provider holds answers to a schema, as far as is known. Other models rather invent songs, and choose
    /// among those that they are given.
    package var takesSchemas: Bool
    package var ask: @Sendable (ModelQuestion) async throws -> ModelReply

    package init(
        contextTokens: Int? = nil, takesSchemas: Bool = true,
        ask: @escaping @Sendable (ModelQuestion) async throws -> ModelReply
    ) {
        (self.contextTokens, self.takesSchemas, self.ask) = (contextTokens, takesSchemas, ask)
    }
}

/// What came of asking a model.
package struct ModelReply: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        case text(String)
        /// What stands in the place of thoughts, where there is no other text. It may be an answer. If it is none,
        /// `otherwise` says for people that there is none, and asking again may help.
        case thoughts(String, otherwise: String)
        /// There was not enough room. The text is what there is of the answer; it may be whole all the same.
        case cutOff(String)
        /// The model or its provider refuses the question. The text says why, for people.
        case refused(String)
        /// There is no answer for another reason, which the text says, for people. Asking again may help.
        case nothing(String)
    }

    package var outcome: Outcome
    package var model: String
    /// As the provider counted them; an estimate of the total where it did not.
    package var tokens: TokenUsage
    /// `nil` where it is not known.
    package var cost: Money?

    package init(_ outcome: Outcome, model: String, tokens: TokenUsage, cost: Money?) {
        (self.outcome, self.model, self.tokens, self.cost) = (outcome, model, tokens, cost)
    }
}

/// Looks songs up in a service's catalog. The closure throws `ProviderFailure`.
package struct SongCatalog: Sendable {
    package var service: MusicSource
    package var find: @Sendable (_ title: String, _ artist: String) async throws -> FoundSong

    package init(
        service: MusicSource, find: @escaping @Sendable (_ title: String, _ artist: String) async throws -> FoundSong
    ) {
        (self.service, self.find) = (service, find)
    }
}

/// What a service has for a song that was named.
package struct FoundSong: Codable, Sendable, Hashable {
    /// The song as edits name it; `nil` when the service has none that is certainly the one.
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
    /// The song that comes nearest, as `Artist – Title`.
    package var nearest: String?

    package init() {}
}
