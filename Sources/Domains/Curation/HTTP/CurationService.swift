import Accounts
import Connections
import Contracts
import Curation
import Gateway
import Jobs
import Library
import Model
import Storage
import Visibility

/// Begins, reads and deletes lists of songs that are made for people.
struct CurationService: Sendable {
    let queue: JobQueue
    /// The most tokens that models use for one person in a month; `nil` for no limit.
    let monthlyTokens: Int?
    /// Gemini's model that is asked first.
    let geminiModel: String?
    /// The administrator's models. The first is used for people who have not chosen a model.
    let endpointModels: [EndpointModel]
    let prices: TokenPrices
    /// The interval at which people's recommendations are made; `nil` where they are made only on request.
    let recommendationInterval: Duration?

    /// The lists that one transaction deletes, each with its songs.
    private static let pruneBatch = 20
    /// The blends that one read finds to be separated.
    private static let separated = 100

    /// - Throws: ``Problem``; the errors of submitting.
    func begin(
        _ request: CurationRequest, userID: String, idempotencyKey: JobQueue.IdempotencyKey?
    ) async throws -> CuratedListResource {
        do {
            return try await queue.write { [recommendationInterval, prices] transaction, submissions in
                let ids = try transaction.once(idempotencyKey, userID: userID) { ids in
                    try ids.first.flatMap { try transaction.curation.list($0, userID: userID) } != nil
                } make: {
                    let title = try Self.check(request, userID: userID, in: transaction)
                    let now = Timestamp.now()
                    let partner = try request.with.map {
                        try Self.ask($0, userID: userID, in: transaction, &submissions, now: now)
                    }
                    let list = try transaction.curation.begin(
                        request, title: title, userID: userID, partner: partner?.personID, cost: prices.nothing,
                        now: now)
                    if partner?.state ?? .accepted == .accepted {
                        try Self.submit(list, in: transaction, &submissions)
                    }
                    if request.kind == .recommendations, request.basedOn.isEmpty {
                        try transaction.curation.scheduleRecommendations(
                            every: recommendationInterval, userID: userID, now: now)
                    }
                    return [list.id]
                }
                guard let list = try ids.first.flatMap({ try transaction.curation.list($0, userID: userID) }) else {
                    throw CurationRefusal.noList
                }
                return CuratedListResource(
                    list, names: try PartnerNames(of: [list], userID: userID, in: transaction))
            }
        } catch let refusal as CurationRefusal {
            throw Problem(refusal)
        } catch let reached as ActLimitReached {
            var problem = Problem(reached)
            problem.field = "with"
            throw problem
        }
    }

    static func submit(
        _ list: CuratedList, with partnerID: String? = nil, in transaction: WriteTransaction,
        _ submissions: inout JobSubmissions
    ) throws {
        let job = try NewJob(.curationMake, CurationMakePayload(list: list.id), priority: JobPriority.interactive)
        try transaction.curation.set(
            job: try submissions.submit(job, userID: list.userID, in: transaction), of: list, partner: partnerID)
    }

    /// Whoever has exactly this username. What happens next looks the same if nobody has it, since a profile may be
    /// private.
    static func subject(named name: String, in reader: some SQLReader) throws -> BlendSubject {
        let user = try reader.accounts.user(named: name)
        return BlendSubject(name: name, personID: user?.name == name ? user?.id : nil)
    }

    /// Asks the other person of a blend.
    private static func ask(
        _ name: String, userID: String, in transaction: WriteTransaction, _ submissions: inout JobSubmissions,
        now: Timestamp
    ) throws -> BlendPartner {
        guard let own = try transaction.accounts.user(id: userID) else { throw CurationRefusal.noList }
        let subject = try subject(named: name, in: transaction)
        let partner = try transaction.curation.ask(subject, by: userID, named: own.name, now: now)
        if partner.state == .accepted { try submitWaiting(of: own, and: subject, in: transaction, &submissions) }
        return partner
    }

    /// Submits the blends that two people, who have agreed, asked for before.
    static func submitWaiting(
        of own: UserRecord, and subject: BlendSubject, in transaction: WriteTransaction,
        _ submissions: inout JobSubmissions
    ) throws {
        guard let partnerID = subject.personID else { return }
        let (person, partner) = ((id: own.id, name: own.name), (id: partnerID, name: subject.name))
        for (one, other) in [(person, partner), (partner, person)] {
            let waiting = try transaction.curation.waitingBlends(userID: one.id, with: other.id, named: other.name)
            for list in waiting { try submit(list, with: other.id, in: transaction, &submissions) }
        }
    }

    /// Refuses requests from which no list can be made.
    ///
    /// - Returns: the list's title.
    private static func check(
        _ request: CurationRequest, userID: String, in transaction: WriteTransaction
    ) throws -> String {
        if request.source == .library || request.kind == .blend,
            try transaction.library.summary(userID: userID).tracks == 0
        {
            throw CurationRefusal.libraryEmpty
        }
        for id in request.basedOn where try transaction.trackIdentity.survivor(of: id, userID: userID) == nil {
            throw CurationRefusal.noTrack
        }
        var name: String?
        if let id = request.playlist {
            guard let playlist = try transaction.playlists.playlist(id, userID: userID) else {
                throw CurationRefusal.noPlaylist
            }
            guard playlist.entriesState == "read" else { throw CurationRefusal.playlistNotRead }
            name = playlist.name
        }
        return PromptText.title(of: request, playlist: name)
    }

    /// - Returns: `nil` when the person has no list of this kind with this id.
    func list(_ id: String, _ kind: CurationRequest.Kind, userID: String) async throws -> CuratedListResource? {
        try await queue.database.read { reader in
            guard let list = try reader.curation.list(id, userID: userID), list.request.kind == kind else { return nil }
            return try CuratedListResource(list, in: reader, userID: userID)
        }
    }

    /// Deletes a list, and stops the job that makes it.
    func delete(_ id: String, _ kind: CurationRequest.Kind, userID: String) async throws {
        do {
            let job = try await queue.database.write { transaction in
                guard let list = try transaction.curation.list(id, userID: userID), list.request.kind == kind else {
                    throw CurationRefusal.noList
                }
                return try transaction.curation.delete(id, userID: userID)
            }
            if let job { _ = try await queue.cancel(id: job, userID: userID) }
        } catch let refusal as CurationRefusal {
            throw Problem(refusal)
        }
    }

    /// The songs of a list that a service has, in the form that an edit writes, and those that it does not have.
    func savedSongs(
        of id: String, _ kind: CurationRequest.Kind, at service: MusicSource, userID: String
    ) async throws -> (title: String, songs: [SongReference], left: [CuratedTrack]) {
        do {
            guard let shown = try await list(id, kind, userID: userID) else { throw CurationRefusal.noList }
            guard shown.list.state == .complete else { throw CurationRefusal.notComplete }
            var (songs, left): ([SongReference], [CuratedTrack]) = ([], [])
            for track in shown.tracks ?? [] {
                if let reference = SongReference(track.reference), shown.has(reference, at: service) {
                    songs.append(reference)
                } else {
                    left.append(track)
                }
            }
            guard !songs.isEmpty else { throw CurationRefusal.nothingToSave(service) }
            return (shown.title, songs, left)
        } catch let refusal as CurationRefusal {
            throw Problem(refusal)
        }
    }

    /// The tokens that a list would use, and that a person has used, as JSON.
    func estimate(userID: String) async throws -> [UInt8] {
        let (used, asked) = try await queue.database.read { reader in
            (
                try reader.curation.tokensUsed(userID: userID, at: .now()),
                try self.asked(userID: userID, in: reader)
            )
        }
        let model: String? =
            switch asked.provider {
            case .gemini: geminiModel
            case .endpoint(let name): endpointModels.first { $0.endpoint == name }?.model
            case .noModel, nil: nil
            }
        let tokens = ModelQuestion.usualTokens
        return JSONWriter.object { json in
            json.member("provider", asked.provider?.rawValue)
            json.member("tokens", model == nil ? 0 : tokens.total)
            json.member("cost", model.map { prices.cost(of: tokens, asked: $0) } ?? prices.nothing)
            json.member("usedThisMonth", used)
            json.member("monthlyTokens", monthlyTokens)
            json.member("choice", asked.choice?.rawValue)
            json.member("choices") { json in
                json.array(asked.choices) { json, choice in json.value(choice.rawValue) }
            }
            json.member("endpoints") { json in
                json.array(endpointModels) { json, offered in
                    json.object { json in
                        json.member("name", offered.endpoint)
                        json.member("model", offered.model)
                    }
                }
            }
        }
    }

    /// The model that is asked for a person now, their choice, and the available choices.
    private func asked(
        userID: String, in reader: ReadTransaction
    ) throws -> (provider: ModelChoice?, choice: ModelChoice?, choices: [ModelChoice]) {
        let record = try reader.connections.record(userID: userID, provider: Provider.gemini.rawValue)
        let hasKey = try record?.connectionState(at: .now(), clientID: nil).isUsable ?? false
        let choice = try reader.curation.modelChoice(userID: userID)
        let available: [ModelChoice] = (hasKey ? [.gemini] : []) + endpointModels.map { .endpoint($0.endpoint) }
        let choices = available + [.noModel]
        let isStored = choice.map { choices.contains($0) } ?? false
        return (isStored ? choice : choice == nil ? available.first : nil, choice, choices)
    }

    /// The choices that may be made, including one without an effect yet: Gemini without a key.
    var knownChoices: [ModelChoice] { [.gemini] + endpointModels.map { .endpoint($0.endpoint) } + [.noModel] }

    func choose(_ choice: ModelChoice?, userID: String) async throws {
        try await queue.database.write { try $0.curation.choose(choice, userID: userID) }
    }

    // MARK: Upkeep

    /// Removes names from blends from before they were looked up, and separates the blends of people who blocked each
    /// other.
    func separateBlends() async throws {
        let database = queue.database
        let writes = SteppedWrites(database, checkpoints: true)
        while case let items = try await database.read({ try $0.curation.blendsWithNames(limit: Self.separated) }),
            !items.isEmpty
        {
            try await writes.write(items, bytes: { $0.bytes }) { transaction, items in
                for item in items { try transaction.curation.removeNames(fromList: item.key) }
            }
        }
        writes.resetSize()
        while let former = try await database.read({ try $0.curation.formerPartners(limit: 1) }).first {
            while case let ids = try await database.read({
                try $0.curation.blends(of: former.userID, with: former.partnerID, limit: Self.separated).map(\.id)
            }), !ids.isEmpty {
                try await writes.write(ids) { transaction, ids in
                    try transaction.curation.separate(ids, userID: former.userID, now: .now())
                }
            }
            try await database.write { try $0.curation.deleteFormerPartner(former) }
        }
    }

    /// Deletes old lists.
    func prune(at time: PruningTime) async throws {
        try await queue.database.deleteInBatches(at: time, of: Self.pruneBatch) {
            try $0.curation.prune(finishedBefore: $1, limit: $2)
        }
    }

    /// Lists in the event stream, without their songs.
    func eventSource(_ pictures: PicturePaths) -> EventSource {
        EventSource(.curatedList, topics: [.curatedLists]) { reader, userID, after, limit in
            let lists = try reader.curation.changed(userID: userID, after: after, limit: limit)
            let names = try PartnerNames(of: lists, userID: userID, in: reader)
            return lists.map {
                EventSource.Change(
                    number: $0.change, id: $0.id, data: CuratedListResource($0, names: names).json(pictures))
            }
        }
    }
}
