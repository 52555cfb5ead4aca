import Accounts
import Contracts
import Curation
import JobStorage
import Jobs
import Connections
import Model
import Storage
import Upstream
import Workers

/// Everything that lists are made with.
struct CurationServices: Sendable {
    let models: CurationModels
    let catalogs: SongCatalogs
    let database: Database

    /// Makes a list that is not a blend.
    func run(
        _ list: String, userID: String,
        checkpoint: @escaping @Sendable (@escaping CurationRun.Rows) async throws -> Void,
        report: @escaping @Sendable (JobProgress) -> Void
    ) async throws -> ListContent? {
        try await CurationRun(
            list, userID: userID, database: database,
            context: { [database] request, plan in
                try await database.read {
                    try CurationContext(request, plan: plan, userID: userID, in: $0, now: .now())
                }
            },
            model: { [models] in try await models.model(userID: userID) }, monthlyTokens: models.monthlyTokens,
            catalog: { [catalogs] in try await catalogs.catalog(userID: userID) }, checkpoint: checkpoint,
            report: { report(JobProgress(phase: $0.rawValue, done: $1, total: $2)) }
        ).run()
    }

    /// Makes a blend.
    ///
    /// - Throws: ``CurationError/notAgreed`` when the partner is gone or no longer agrees.
    func blend(
        _ list: CuratedList, report: @escaping @Sendable (JobProgress) -> Void
    ) async throws -> (asker: ListContent, partner: ListContent) {
        guard let partner = list.partnerID, try await database.read({ try $0.accounts.user(id: partner) }) != nil
        else { throw CurationError.notAgreed }
        return try await BlendRun(
            list, partner: partner, database: database,
            side: { [catalogs, database] userID, seed in
                let other = userID == list.userID ? partner : list.userID
                let services = try await catalogs.connected(userID)
                return try await database.read {
                    try BlendSide(of: userID, with: other, seed: seed, services: services, in: $0)
                }
            },
            find: { [catalogs] userID, title, artist in
                try await catalogs.catalog(userID: userID)?.find(title, artist)
            },
            report: { report(JobProgress(phase: CuratedList.State.resolving.rawValue, done: $0, total: $1)) }
        ).run()
    }
}

extension JobHandler {
    /// `curation.make`: reads what is known about the person, asks a model, looks up the songs it names, replies with
    /// the list.
    static func curationMake(_ services: CurationServices) -> JobHandler {
        JobHandler(.curationMake, keeping: StateRule<CurationProgress>()) { payload, context in
            let userID = context.job.userID
            // Calls with one key are served round robin by person.
            return try await UpstreamRequest.$currentPerson.withValue(context.person) {
                let list = try await services.database.read { try $0.curation.list(payload.list, userID: userID) }
                if let list, list.request.kind == .blend { return try await blend(list, services, context) }
                let finished = try await services.run(
                    payload.list, userID: userID,
                    checkpoint: { rows in
                        try await context.checkpoint { transaction, _ in
                            try rows(transaction)
                            return try transaction.curation.progress(of: payload.list, userID: userID)
                        }
                    }, report: { context.report($0) })
                return JobResult(CurationMakeResult(tracks: finished?.tracks.count ?? 0)) { transaction, _ in
                    if let finished { try transaction.curation.finish(finished) }
                }
            }
        }
    }

    private static func blend(
        _ list: CuratedList, _ services: CurationServices, _ context: LongJobContext<CurationProgress>
    ) async throws -> JobResult<CurationMakeResult> {
        do {
            let blend = try await services.blend(list, report: { context.report($0) })
            return JobResult(CurationMakeResult(tracks: blend.asker.tracks.count)) { transaction, _ in
                try transaction.curation.finish(list, asker: blend.asker, partner: blend.partner)
            }
        } catch let error as CurationError {
            return JobResult(CurationMakeResult(tracks: 0)) { transaction, _ in
                try transaction.curation.fail(list.id, userID: list.userID, error, now: .now())
            }
        }
    }

    /// `curation.recommend`: creates a list of recommendations and makes it as ``curationMake(_:)`` does.
    static func curationRecommend(_ services: CurationServices) -> JobHandler {
        JobHandler(.curationRecommend, keeping: StateRule<RecommendationState>()) { _, context in
            let job = context.job
            // The id is stored in the state before the list exists, so that a run that dies does not create a second
            // list.
            let id = context.state?.list ?? UUIDv7.next()
            let checkpoint: @Sendable (@escaping CurationRun.Rows) async throws -> Void = { rows in
                try await context.checkpoint { transaction, _ in
                    try rows(transaction)
                    let progress = try transaction.curation.progress(of: id, userID: job.userID)
                    return RecommendationState(list: id, progress: progress)
                }
            }
            return try await UpstreamRequest.$currentPerson.withValue(context.person) {
                try await checkpoint { transaction in
                    guard try transaction.curation.list(id, userID: job.userID) == nil else { return }
                    let request = CurationRequest.recommendations(seed: Int.random(in: 0...Int(Int32.max)))
                    try transaction.curation.insert(
                        id, request, title: PromptText.title(of: request), userID: job.userID,
                        scheduledBy: job.run.jobID, cost: services.models.prices.nothing, now: .now())
                }
                let finished = try await services.run(
                    id, userID: job.userID, checkpoint: checkpoint, report: { context.report($0) })
                return JobResult(CurationMakeResult(tracks: finished?.tracks.count ?? 0)) { transaction, _ in
                    if let finished { try transaction.curation.finish(finished) }
                }
            }
        }
    }
}

/// The checkpoint of `curation.recommend`.
struct RecommendationState: CheckpointState {
    var list: String
    /// `nil` in states that earlier versions wrote.
    var progress: CurationProgress?

    // The list was created.
    var workDone: Int { 1 + (progress?.workDone ?? 0) }
}

extension WorkerDomain {
    /// Makes lists of songs.
    ///
    /// - Parameter catalogs: opens the catalogs of people's services.
    package static func curation(
        _ catalogs: @escaping @Sendable (WorkerProcess) throws -> SongCatalogs
    ) -> WorkerDomain {
        WorkerDomain { process in
            let services = CurationServices(
                models: try CurationModels(process), catalogs: try catalogs(process), database: process.database)
            return [.curationMake(services), .curationRecommend(services)]
        }
    }
}
