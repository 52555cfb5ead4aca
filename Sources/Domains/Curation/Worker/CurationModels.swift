import Bootstrap
import ChatCompletions
import Curation
import Model
import Storage
import Upstream
import Workers

/// The models that make lists: Gemini with people's own keys, and the administrator's models. Each person has a budget.
struct CurationModels: Sendable {
    private let gemini: GeminiModels
    private let endpoints: [AIEndpoint]
    private let database: Database
    /// The most tokens that models use for one person in a month; `nil` for no limit.
    let monthlyTokens: Int?
    let prices: TokenPrices

    /// - Throws: what opening the providers throws.
    init(_ process: WorkerProcess) throws {
        gemini = try GeminiModels(process)
        endpoints = try process.providers.aiEndpoints().endpoints
        database = process.database
        let settings = process.configuration[CurationSettings.self]
        monthlyTokens = settings.monthlyTokens
        prices = settings.prices
    }

    /// The model that answers a person's questions: the one they have chosen; without a choice Gemini, if they have a
    /// key, or else the administrator's first model.
    ///
    /// - Throws: ``CurationRun/NoModel``.
    func model(userID: String) async throws -> LanguageModel {
        let choice = try await database.read { try $0.curation.modelChoice(userID: userID) }
        return try await model(choice, userID: userID)
    }

    private func model(_ choice: ModelChoice?, userID: String) async throws -> LanguageModel {
        switch choice {
        case .noModel:
            throw CurationRun.NoModel("You have chosen to use no model. Change that at /explore/playlists.")
        case .endpoint(let name):
            guard let endpoint = endpoints.first(where: { $0.name == name }) else {
                throw CurationRun.NoModel(
                    "This Backline no longer has the model '\(name)' that you chose. Choose another one at "
                        + "/explore/playlists.")
            }
            return LanguageModel(endpoint, prices)
        case .gemini, nil:
            let found = try await gemini.model(userID: userID)
            if let model = found.model { return model }
            guard !found.isRefused else {
                throw CurationRun.NoModel(
                    "Google refuses your Gemini key. Enter another one at /setup/gemini and ask again.")
            }
            if choice == nil, let endpoint = endpoints.first { return LanguageModel(endpoint, prices) }
            throw CurationRun.NoModel("Enter a Gemini key at /setup/gemini to let a model choose, and ask again.")
        }
    }
}

extension LanguageModel {
    fileprivate init(_ endpoint: AIEndpoint, _ prices: TokenPrices) {
        self.init(contextTokens: endpoint.contextTokens, takesSchemas: endpoint.takesSchemas) { question in
            let answer = try await ProviderFailure.translating(.aiEndpoint) {
                try await endpoint.complete(ChatPrompt(question))
            }
            return ModelReply(answer, of: endpoint, estimate: question.estimatedTokens, prices)
        }
    }
}

extension ChatPrompt {
    fileprivate init(_ question: ModelQuestion) {
        self.init(
            system: question.instructions, user: question.data, schema: question.schema.jsonSchema,
            maxTokens: question.room)
    }
}

extension AnswerSchema {
    /// The schema as a JSON Schema. Its names are constants that consist of letters only.
    fileprivate var jsonSchema: String {
        func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ",") }
        return switch self {
        case .integer: #"{"type":"integer"}"#
        case .text: #"{"type":"string"}"#
        case .choice(let values): #"{"type":"string","enum":[\#(list(values))]}"#
        case .list(let element): #"{"type":"array","items":\#(element.jsonSchema)}"#
        case .object(let members, let required):
            #"{"type":"object","properties":{"#
                + members.map { #""\#($0.name)":\#($0.schema.jsonSchema)"# }.joined(separator: ",")
                + #"},"required":[\#(list(required))]}"#
        }
    }
}

extension ModelReply {
    fileprivate init(_ answer: ChatAnswer, of endpoint: AIEndpoint, estimate: Int, _ prices: TokenPrices) {
        let outcome: Outcome =
            if let read = answer.promptTokens, read < estimate / 4 {
                // Some servers silently truncate a prompt that is too long: the model has not seen all of it.
                .refused(
                    "The model has read only part of the question. Whoever runs this Backline can correct its context "
                        + "size (ai.endpoints.\(endpoint.name).contextTokens).")
            } else {
                switch answer.outcome {
                case .text(let text): .text(text)
                case .thoughts(let text): .thoughts(text, otherwise: Self.noAnswer)
                case .cutOff(let text): .cutOff(text)
                case .filtered: .refused("The model's server withheld the answer to this request. Rephrase it.")
                case .empty: .nothing(Self.noAnswer)
                }
            }
        let tokens = answer.tokens ?? TokenUsage(total: estimate)
        // Such a server may report another name for its model, such as that of a file. Prices are those of the model
        // asked for.
        self.init(
            outcome, model: answer.model ?? endpoint.model, tokens: tokens,
            cost: prices.cost(of: tokens, asked: endpoint.model))
    }

    private static let noAnswer = "The model gave no answer. Ask again in a moment."
}
