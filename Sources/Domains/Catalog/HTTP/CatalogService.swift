import Catalog
import Contracts
import Gateway
import Jobs
import Model
import Storage

/// Questions about services' catalogs in the gateway: answers them from the database, or has a worker ask.
package struct CatalogService: Sendable {
    let queue: JobQueue
    /// The installation's client id at Spotify; `nil` where people need an app of their own.
    let spotifyClientID: String?

    /// The answers that one transaction deletes, each of up to some tens of kilobytes.
    private static let pruneBatch = 50
    /// How often a question is asked again because somebody else asked it first and their connection failed.
    private static let attempts = 3

    package init(queue: JobQueue, spotifyClientID: String?) {
        (self.queue, self.spotifyClientID) = (queue, spotifyClientID)
    }

    /// Refuses a service that the person cannot ask now, or not with these scopes.
    ///
    /// - Throws: ``Problem`` `spotifyNotConnected`, `appleMusicNotConnected` or `scopeMissing`.
    package func requireConnection(
        to source: MusicSource, scopes: [String], userID: String, in reader: some SQLReader
    ) throws {
        _ = try CatalogAsker(
            userID: userID, source: source, spotifyClientID: spotifyClientID, scopes: scopes, in: reader)
    }

    /// Whether a person's connection to a service can be used now, and the country whose catalog it sees.
    ///
    /// - Returns: `nil` for a connection that cannot be used; an empty text where the country is not known.
    package func market(of source: MusicSource, userID: String, in reader: some SQLReader) throws -> String? {
        do {
            return try CatalogAsker(userID: userID, source: source, spotifyClientID: spotifyClientID, in: reader).market
        } catch is Problem {
            return nil
        }
    }

    // MARK: Questions

    /// A search's hits, one page of each type.
    ///
    /// - Parameter screen: the screen that asks; it no longer waits for its earlier questions.
    /// - Throws: a ``Problem``.
    func search(
        _ text: CatalogText, types: [CatalogType], offset: Int, userID: String, screen: ScreenID?
    ) async throws -> [CatalogType: CatalogAnswer] {
        let asker = try await asker(userID: userID, of: .spotify)
        guard let query = text.query(market: asker.market, offset: offset) else { return [:] }
        let answers = try await answers(
            to: types.map { .search(query, $0) }, .catalogSearch, asker, screen: screen
        ) { missing in
            query.payload(for: missing.compactMap { if case .search(_, let type) = $0 { type } else { nil } })
        }
        return Dictionary(
            uniqueKeysWithValues: types.compactMap { type in
                answers[.search(query, type)].map { (type, $0) }
            })
    }

    /// The artists that a person listens to most, the best first.
    ///
    /// - Throws: a ``Problem``.
    package func topArtists(_ range: TopRange, userID: String) async throws -> [CatalogArtist] {
        guard case .artists(let page) = try await top(.artists, range, userID: userID) else { return [] }
        return page.items
    }

    /// The tracks that a person listens to most, the best first.
    ///
    /// - Throws: a ``Problem``.
    func topTracks(_ range: TopRange, userID: String) async throws -> [CatalogTrack] {
        guard case .tracks(let page) = try await top(.tracks, range, userID: userID) else { return [] }
        return page.items
    }

    private func top(
        _ list: CatalogTopPayload.List, _ range: TopRange, userID: String
    ) async throws -> CatalogAnswer? {
        let scopes = TypedJobKind.catalogTop.kind.scopes(at: .spotify)
        let asker = try await asker(userID: userID, of: .spotify, scopes: scopes)
        let payload = CatalogTopPayload(list: list, range: range)
        return try await answers(to: [.top(payload)], .catalogTop, asker, screen: nil) { _ in payload }[.top(payload)]
    }

    /// An item of a service's catalog.
    ///
    /// - Parameter offset: where a further page of its contents begins; 0 for the item with the first page.
    /// - Returns: `nil` for an item that the service does not have.
    /// - Throws: a ``Problem``.
    func item(
        _ type: CatalogType, of source: MusicSource, id: String, offset: Int, userID: String
    ) async throws -> CatalogItem? {
        let asker = try await asker(userID: userID, of: source)
        let payload = CatalogItemPayload(source: source, type: type, id: id, market: asker.market, offset: offset)
        let answer = try await answers(to: [.item(payload)], .catalogItem, asker, screen: nil) { _ in payload }
        guard case .item(let item) = answer[.item(payload)] else { return nil }
        return item
    }

    /// A track of a service's catalog as the service describes it, and the country whose catalog it is in.
    ///
    /// - Returns: `nil` for a track that the service does not have; an empty country where it is not known.
    /// - Throws: a ``Problem``.
    package func track(
        _ id: String, of source: MusicSource, userID: String
    ) async throws -> (track: CatalogTrack, market: String)? {
        let market = try await asker(userID: userID, of: source).market
        let found = try await item(.track, of: source, id: id, offset: 0, userID: userID)
        guard case .track(let track) = found?.subject else { return nil }
        return (track, market)
    }

    // MARK: Answers

    private func asker(
        userID: String, of source: MusicSource, scopes: [String] = []
    ) async throws -> CatalogAsker {
        try await queue.database.read { [spotifyClientID] reader in
            try CatalogAsker(
                userID: userID, source: source, spotifyClientID: spotifyClientID, scopes: scopes, in: reader)
        }
    }

    /// Reads stored answers, and has a worker ask for the others in one job, which everybody with the same questions
    /// waits for.
    private func answers<Payload>(
        to questions: [CatalogQuestion], _ kind: TypedJobKind<Payload, CatalogResult>, _ asker: CatalogAsker,
        screen: ScreenID?, payload: @escaping @Sendable (_ missing: [CatalogQuestion]) -> Payload
    ) async throws -> [CatalogQuestion: CatalogAnswer] {
        for attempt in 1...Self.attempts {
            let known = try await queue.database.read { try asker.answers(to: questions, in: $0) }
            let missing = questions.filter { known[$0] == nil }
            if missing.isEmpty { return known }
            let owner = missing.contains(where: \.isPersonal) ? asker.userID : SystemUser.id
            let run: SharedResult<CatalogResult>?
            do {
                run = try await queue.runShared(
                    kind, ofUser: owner, for: asker.userID,
                    key: ([kind.kind.name] + missing.map(\.key)).joined(separator: "\n"), screen: screen,
                    within: JobQueue.upstreamAnswerTimeout
                ) { transaction in
                    // Somebody else's job may have answered since they were read.
                    try asker.answers(to: missing, in: transaction).count == missing.count ? nil : payload(missing)
                }
            } catch JobWaitError.cancelled {
                throw Problem.questionSuperseded
            } catch is JobWaitError {
                throw Problem.catalogNotAnswered(by: asker.source)
            }
            guard let run, let trouble = run.result.trouble else { continue }
            // The connection of the person who asked first may be broken, while this person's works.
            guard !run.isOwn, trouble.recovery != Recovery.retryAt.rawValue, attempt < Self.attempts else {
                throw Problem(trouble, of: asker.source)
            }
        }
        throw Problem.catalogNotAnswered(by: asker.source)
    }

    // MARK: Upkeep

    /// Deletes expired answers, and the oldest beyond the capacity.
    func prune(at time: PruningTime) async throws {
        // Usually there is nothing to delete, and then no other write has to wait.
        guard try await queue.database.read({ try $0.catalog.isPruningDue(at: time) }) else { return }
        try await queue.database.deleteInBatches(at: time, of: Self.pruneBatch) {
            try $0.catalog.prune(at: $1, limit: $2)
        }
        try await queue.database.deleteInBatches(at: time, of: Self.pruneBatch) { transaction, _, limit in
            try transaction.catalog.trim(limit: limit)
        }
    }
}

extension CatalogAsker {
    /// The stored answers to the questions that have one.
    fileprivate func answers(
        to questions: [CatalogQuestion], in reader: some SQLReader
    ) throws -> [CatalogQuestion: CatalogAnswer] {
        let now = Timestamp.now()
        var answers: [CatalogQuestion: CatalogAnswer] = [:]
        for question in questions {
            answers[question] =
                question.isPersonal
                ? try reader.catalog.answer(to: question, userID: userID, account: account, now: now)
                : try reader.catalog.answer(to: question, now: now)
        }
        return answers
    }
}
