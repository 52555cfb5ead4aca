import Crypto
import Identity
import Model
import Platform
import Storage

/// Makes a list: it asks a model, looks up what the model names, and puts the list together (docs/curation.md).
///
/// Each call is counted before it is made, and its result is stored, in transactions that only the current run of the
/// job may make. So if a run dies, the next one continues after the last call whose result was stored, and no list has
/// more calls than ``CurationStore/mostCalls``, however often its runs die.
package struct CurationRun: Sendable {
    package typealias Rows = @Sendable (WriteTransaction) throws -> Void

    /// Why no model is asked, for people. Nothing has been sent to one.
    package struct NoModel: Error, Sendable, Hashable {
        package var message: String

        package init(_ message: String) { self.message = message }
    }

    let id: String
    let userID: String
    let database: Database
    let context: @Sendable (CurationRequest, CurationPlan?) async throws -> CurationContext
    let model: @Sendable () async throws -> LanguageModel
    let monthlyTokens: Int?
    let catalog: @Sendable () async throws -> SongCatalog?
    let checkpoint: @Sendable (@escaping Rows) async throws -> Void
    let report: @Sendable (_ phase: CuratedList.State, _ done: Int, _ total: Int) -> Void
    let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - context: reads what is known about the person, for a request and a model's plan.
    ///   - model: returns the model to ask. Throws ``NoModel`` if none can be asked.
    ///   - monthlyTokens: the most tokens that models may use for the person in a month; `nil` for no limit.
    ///   - catalog: returns the service in whose catalog names are looked up; `nil` if the person has connected none.
    ///   - checkpoint: writes rows in one transaction, which fails if the job's run no longer belongs to this worker
    ///     (`LongJobContext.checkpoint`). It may call the closure twice.
    package init(
        _ id: String, userID: String, database: Database,
        context: @escaping @Sendable (CurationRequest, CurationPlan?) async throws -> CurationContext,
        model: @escaping @Sendable () async throws -> LanguageModel, monthlyTokens: Int? = nil,
        catalog: @escaping @Sendable () async throws -> SongCatalog?,
        checkpoint: @escaping @Sendable (@escaping Rows) async throws -> Void,
        report: @escaping @Sendable (_ phase: CuratedList.State, _ done: Int, _ total: Int) -> Void = { _, _, _ in },
        now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        (self.id, self.userID, self.database) = (id, userID, database)
        (self.context, self.model, self.monthlyTokens, self.catalog) = (context, model, monthlyTokens, catalog)
        (self.checkpoint, self.report, self.now) = (checkpoint, report, now)
    }

    /// Makes the list.
    ///
    /// - Returns: the list for the transaction that ends the job to write; `nil` if there is none, because the person
    ///   was erased or has deleted it.
    /// - Throws: `ProviderFailure` if waiting helps; whatever the database and `checkpoint` throw.
    package func run() async throws -> ListContent? {
        guard let list = try await present(), !list.state.isFinished else { return nil }
        var context = try await self.context(list.request, list.answer?.plan)
        let choice = try await database.read { [userID] in try $0.curation.modelChoice(userID: userID) }
        let key = try Self.cacheKey(of: list.request, context, choice)
        // An equal list is reused only if no model was asked for this one yet, so that no call is wasted.
        if list.calls == 0, let known = try await earlier(key) {
            try await change { list in
                (list.model, list.sent) = (known.list.model, known.list.sent)
            }
            return ListContent(
                id: id, userID: userID, tracks: known.tracks, dropped: known.list.dropped, at: now(), cacheKey: nil)
        }
        var ranking = SongRanking(list.request, context, plan: list.answer?.plan)
        // A list of discoveries has no candidates; without a model it is made from the library nevertheless.
        let candidates = list.request.source == .discovery ? [] : ranking.varied(Self.candidateCount(of: list.request))
        if list.answer == nil, list.fallback == nil {
            try await ask(list, candidates, context)
        }
        guard let asked = try await present() else { return nil }
        if let answer = asked.answer {
            try await resolve(answer.discoveries, of: asked)
        }
        if let plan = asked.answer?.plan, list.answer == nil {
            context = try await self.context(list.request, plan)
            ranking = SongRanking(list.request, context, plan: plan)
        }
        guard let resolved = try await present() else { return nil }
        report(.checking, 0, list.request.size)
        try await change { $0.state = .checking }
        var finished = finished(resolved, ranking, context)
        // A list that was made without a model may be made with one next time.
        if resolved.answer != nil, finished.fallback == nil { finished.cacheKey = key }
        return finished
    }

    /// A key that is equal for equal requests, with the same seed, for the same library.
    private static func cacheKey(
        of request: CurationRequest, _ context: CurationContext, _ choice: ModelChoice?
    ) throws -> String {
        let out = context.heard.union(context.present).union(context.dismissed).sorted().joined(separator: " ")
        let elsewhere = (context.heardElsewhere + context.dismissedSongs).map { "\($0.artist) – \($0.title)" }
            .joined(separator: " ")
        let loved = context.candidates.filter(\.isLoved).map(\.reference).joined(separator: " ")
        let seeds = context.seeds.map(\.reference).joined(separator: " ")
        let text = """
            \(ModelQuestion.version) \(choice?.rawValue ?? "") \(context.libraryVersion) \
            \(try JSONColumn.encode(request)) \(out) \(elsewhere) \(seeds) \(loved)
            """
        return SHA256.hash(data: Array(text.utf8)).prefix(16).hexadecimal
    }

    private func earlier(_ key: String) async throws -> (list: CuratedList, tracks: [CuratedTrack])? {
        try await database.read { [userID] reader in
            try reader.curation.list(cacheKey: key, userID: userID).map { ($0, try reader.curation.tracks(of: $0)) }
        }
    }

    private func present() async throws -> CuratedList? {
        try await database.read { [id, userID] in try $0.curation.list(id, userID: userID) }
    }

    func change(_ body: @escaping @Sendable (inout CuratedList) -> Void) async throws {
        try await checkpoint { [id, userID] transaction in
            guard var list = try transaction.curation.list(id, userID: userID) else { return }
            body(&list)
            try transaction.curation.write(list)
        }
    }

    private static func candidateCount(of request: CurationRequest) -> Int { min(240, max(80, request.size * 4)) }

    // MARK: Looking up

    private func resolve(_ names: [ModelAnswer.NamedSong], of list: CuratedList) async throws {
        // Any more would not get into the list, and each lookup costs a call.
        let wanted = names.prefix(list.request.size * 2)
        guard list.found.count < wanted.count else { return }
        guard let catalog = try await catalog() else { return }
        for (index, name) in wanted.enumerated().dropFirst(list.found.count) {
            report(.resolving, index, wanted.count)
            let song: SongMatch
            do {
                song = try await catalog.find(name.title, name.artist)
            } catch let failure as ProviderFailure where failure.recovery != .retryAt {
                // The person has to do something first. What was found so far is enough for a list.
                return
            }
            try await change { list in
                list.state = .resolving
                // The transaction may run twice.
                if list.found.count == index { list.found.append(song) }
            }
        }
    }
}
