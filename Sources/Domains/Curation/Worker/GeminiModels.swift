import Bootstrap
import Curation
import Gemini
import Connections
import Logging
import Model
import Synchronization
import Telemetry
import Upstream
import Workers

/// Gemini's models, asked with people's own keys.
struct GeminiModels: Sendable {
    private let gemini: GeminiProvider
    private let keys: PersonalKeys
    private let names: [String]
    private let prices: TokenPrices
    private let logger: Logger
    private let refusals = ModelRefusals()

    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    init(_ process: WorkerProcess) throws {
        gemini = try process.providers.gemini()
        keys = PersonalKeys(provider: .gemini, database: process.database, vault: process.vault)
        let settings = process.configuration[CurationSettings.self]
        names = settings.geminiModels
        prices = settings.prices
        logger = process.logger
    }

    /// The model, called with a person's key.
    ///
    /// - Returns: `nil` for a person without a usable key, and whether Google has refused the key that they have.
    func model(userID: String) async throws -> (model: LanguageModel?, isRefused: Bool) {
        let (usable, refused) = try await keys.keys(
            of: { _ in [userID] },
            onTrouble: { error in
                logger.warning(
                    "a person's Gemini key cannot be opened; their lists are made without it",
                    metadata: ["error": "\(error)", "owner": "\(UserPseudonym.of(userID))"])
            })
        guard let key = usable.first else { return (nil, !refused.isEmpty) }
        return (LanguageModel { question in try await ask(question, with: key) }, false)
    }

    private func ask(_ question: ModelQuestion, with key: PersonalKeys.Key) async throws -> ModelReply {
        let prompt = GeminiPrompt(question)
        var failure: ProviderFailure?
        for name in names where !refusals.isRefused(name, to: key.secret, of: key.userID, at: .now()) {
            do {
                return try await ProviderFailure.translating(.gemini) {
                    let client = GeminiClient(
                        key: key.secret, send: try gemini.calls(key: key.secret, model: name).send)
                    do {
                        let answer = try await client.generate(prompt, model: name, weight: question.estimatedTokens)
                        return ModelReply(answer, asked: name, estimate: question.estimatedTokens, prices)
                    } catch let error as GeminiError where error.kind == .modelUnavailable {
                        refusals.add(name, to: key.secret, of: key.userID, at: .now())
                        logger.notice(
                            "Google does not offer this Gemini model to a person's key: it is skipped for an hour",
                            metadata: ["model": "\(name)"])
                        throw error
                    }
                }
            } catch let refused as ProviderFailure {
                failure = refused
                if refused.kind == .keyRefused { try await keys.refused(key) }
                guard refusals.isRefused(name, to: key.secret, of: key.userID, at: .now()) else { throw refused }
            }
        }
        throw failure ?? ProviderFailure(GeminiError(.modelUnavailable), of: .gemini)
            ?? ProviderFailure(.gemini, .requestRefused, message: "No Gemini model is available.")
    }
}

extension GeminiPrompt {
    fileprivate init(_ question: ModelQuestion) {
        self.init(
            systemInstruction: question.instructions, text: question.data, schema: Schema(question.schema),
            maxOutputTokens: question.room)
    }
}

extension GeminiPrompt.Schema {
    fileprivate init(_ schema: AnswerSchema) {
        self =
            switch schema {
            case .integer: .integer
            case .text: .text
            case .choice(let values): .choice(values)
            case .list(let element): .list(Self(element))
            case .object(let members, let required):
                .object(members.map { Member($0.name, Self($0.schema)) }, required: required)
            }
    }
}

extension ModelReply {
    fileprivate init(_ answer: GeminiAnswer, asked name: String, estimate: Int, _ prices: TokenPrices) {
        let outcome: Outcome =
            switch answer.outcome {
            case .text(let text): .text(text)
            case .cutOff(let text): .cutOff(text)
            case .promptBlocked(let reason):
                .refused("Gemini does not answer this request (\(reason)). Rephrase it.")
            case .answerBlocked("OTHER"), .answerBlocked("RECITATION"), .answerBlocked("MALFORMED_FUNCTION_CALL"):
                .nothing("Gemini gave no answer. Ask again in a moment.")
            case .answerBlocked(let reason):
                .refused("Gemini withheld its answer to this request (\(reason)). Rephrase it.")
            case .empty: .nothing("Gemini gave no answer. Ask again in a moment.")
            }
        let tokens = answer.tokens ?? TokenUsage(total: estimate)
        self.init(
            outcome, model: answer.modelVersion ?? name, tokens: tokens,
            cost: prices.cost(of: tokens, answered: answer.modelVersion, asked: name))
    }
}
