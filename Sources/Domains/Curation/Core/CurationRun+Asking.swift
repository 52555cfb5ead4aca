import Model
import Storage
import Synchronization

/// Asking a model.
extension CurationRun {
    /// How much of what the listener likes is sent to a model that may name any songs.
    private static let most = (artists: 30, genres: 12)

    func ask(_ list: CuratedList, _ candidates: [CandidateSong], _ context: CurationContext) async throws {
        let artists = context.artists.values.sorted { ($1.songs, $0.name) < ($0.songs, $1.name) }
            .prefix(Self.most.artists).map(\.name)
        let (genres, seeds) = (Array(Self.genres(of: context.candidates).prefix(Self.most.genres)), context.seeds)
        report(.asking, 0, 0)
        if CurationPlan.isUsed(for: list.request) { return try await askForPlan(list, context) }
        let read = { (reply: ModelReply.Outcome, asked: Int, takesNames: Bool) in
            Outcome(reply) { ModelAnswer($0)?.bound(to: candidates.prefix(asked), takesNames: takesNames) }
        }
        try await converse {
            let model = try await self.model()
            var request = list.request
            if request.source == .mixed, !model.takesSchemas { request.source = .library }
            var (question, asked) = ModelQuestion.about(
                request, candidates: candidates, seeds: seeds, artists: artists, genres: genres)
            if let context = model.contextTokens, question.estimatedTokens + question.room > context {
                (question, asked) = ModelQuestion.about(
                    request, candidates: candidates, seeds: seeds, artists: artists, genres: genres, within: context)
            }
            let takesNames = request.source != .library
            return (model, question, { [asked] in read($0, asked, takesNames) })
        }
    }

    private func askForPlan(_ list: CuratedList, _ context: CurationContext) async throws {
        let genres = ModelQuestion.offered(genres: Self.genres(of: context.candidates))
        let artists = ModelQuestion.offered(
            artists: context.artists.values.sorted { ($1.songs, $0.name) < ($0.songs, $1.name) }.map(\.name))
        let question = ModelQuestion.plan(for: list.request, genres: genres, artists: artists)
        try await converse {
            let model = try await self.model()
            return (model, question, { Outcome($0) { ModelAnswer(planIn: $0, genres: genres, artists: artists) } })
        }
    }

    private typealias ReplyReader = (ModelReply.Outcome) -> Outcome

    /// Asks a model, and once more if that may help. The result is stored in the list's row.
    ///
    /// - Parameter begin: chooses the model and the question, and returns how to read an answer.
    private func converse(
        _ begin: () async throws -> (model: LanguageModel, question: ModelQuestion, read: ReplyReader)
    ) async throws {
        do {
            let (model, first, read) = try await begin()
            var question = first
            while try await beginCall(question) {
                let reply = try await answer(to: question, of: model)
                let outcome = read(reply.outcome)
                try await storeReply(reply, outcome)
                guard case .again(let needsRoom, _) = outcome else { return }
                // If the context is the limit, a longer answer needs a shorter question, which this already is.
                if needsRoom, model.contextTokens == nil { question.room *= 3 }
            }
        } catch let failure as NoModel {
            try await fallBack(failure.message, isSent: false)
        } catch let failure as ProviderFailure {
            try await fallBack(failure.message, isSent: failure.outcome != .notSent)
        }
    }

    /// Counts a call before it is made.
    ///
    /// - Returns: whether it may be made.
    /// - Throws: ``NoModel`` if the person's budget does not suffice.
    private func beginCall(_ question: ModelQuestion) async throws -> Bool {
        let moment = now()
        let start = Mutex(CurationStore<WriteTransaction>.CallStart.isDecided)
        try await checkpoint { [id, userID, monthlyTokens] transaction in
            let made = try transaction.curation.beginCall(
                of: id, userID: userID, sent: question.data, tokens: question.estimatedTokens + question.room,
                budget: monthlyTokens, now: moment)
            start.withLock { $0 = made }
        }
        switch start.withLock({ $0 }) {
        case .begun: return true
        case .isDecided: return false
        case .noneLeft:
            try await fallBack("The model's answers were lost.", isSent: true)
            return false
        case .overBudget:
            throw NoModel(
                "The \(monthlyTokens ?? 0) tokens that models may use for you this month are used up, or nearly so. "
                    + "The count starts again next month.")
        }
    }

    private func answer(to question: ModelQuestion, of model: LanguageModel) async throws -> ModelReply {
        do {
            return try await model.ask(question)
        } catch let failure as ProviderFailure {
            try await checkpoint { [id, userID] transaction in
                guard var list = try transaction.curation.list(id, userID: userID) else { return }
                if failure.outcome == .unknown {
                    list.loseCall()
                } else {
                    try transaction.curation.cancelCall(of: &list)
                }
                try transaction.curation.write(list)
            }
            throw failure
        }
    }

    private enum Outcome: Sendable {
        case answer(ModelAnswer)
        /// Asking again may help.
        case again(needsRoom: Bool, String)
        case over(String)

        /// - Parameter read: reads an answer; `nil` for a text that is not an answer.
        init(_ outcome: ModelReply.Outcome, read: (String) -> ModelAnswer?) {
            switch outcome {
            case .text(let text):
                self =
                    read(text).map { .answer($0) }
                    ?? .again(needsRoom: false, "The model's answer could not be read.")
            case .thoughts(let text, let why): self = read(text).map { .answer($0) } ?? .again(needsRoom: false, why)
            case .cutOff(let text):
                let answer = ModelText.isWhole(text) ? read(text) : nil
                self = answer.map { .answer($0) } ?? .again(needsRoom: true, "The model's answer was cut off.")
            case .refused(let why): self = .over(why)
            case .nothing(let why): self = .again(needsRoom: false, why)
            }
        }
    }

    /// Stores a reply with its tokens, in one transaction.
    private func storeReply(_ reply: ModelReply, _ outcome: Outcome) async throws {
        try await checkpoint { [id, userID] transaction in
            guard var list = try transaction.curation.list(id, userID: userID) else { return }
            try transaction.curation.recordUsage(of: &list, reply)
            switch outcome {
            case .answer(let answer): list.answer = answer
            case .again(_, let why) where list.calls >= CurationStore<WriteTransaction>.mostCalls:
                list.fallback = Self.fallbackText(why)
            case .again: break
            case .over(let why): list.fallback = Self.fallbackText(why)
            }
            try transaction.curation.write(list)
        }
    }

    /// - Parameter isSent: whether anything of the last call may have been sent to a model.
    private func fallBack(_ why: String, isSent: Bool) async throws {
        try await change { list in
            list.fallback = Self.fallbackText(why)
            if !isSent, list.calls == 0 { list.sent = nil }
        }
    }

    static func fallbackText(_ why: String) -> String { "Made without AI, from your library. \(why)" }

    /// The genres of songs, the most frequent first.
    private static func genres(of songs: [CandidateSong]) -> [String] {
        var counts: [String: Int] = [:]
        for genre in songs.flatMap(\.genres) { counts[genre, default: 0] += 1 }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }
}
