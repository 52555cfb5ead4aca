import DomainEvents
import Model
import Storage

extension CurationStore where Access == WriteTransaction {
    /// The most lists that are made for a person at the same time, and the most of their blends that wait for consent.
    private static var mostUnfinished: Int { 20 }

    /// Stores a list to be made. The caller submits its job.
    ///
    /// - Parameters:
    ///   - partner: the id of the other person in a blend; `nil` for a request that reaches nobody.
    ///   - cost: the cost as long as no model is asked; `nil` without prices.
    /// - Throws: ``CurationRefusal/tooManyUnfinished``, ``CurationRefusal/tooManyWaiting``.
    package func begin(
        _ request: CurationRequest, title: String, userID: String, partner: String? = nil, cost: Money?, now: Timestamp
    ) throws -> CuratedList {
        let unfinished = try unfinished(userID: userID)
        guard unfinished.made < Self.mostUnfinished else { throw CurationRefusal.tooManyUnfinished }
        guard request.kind != .blend || unfinished.waiting < Self.mostUnfinished else {
            throw CurationRefusal.tooManyWaiting
        }
        let id = UUIDv7.next()
        try insert(id, request, title: title, userID: userID, partner: partner, cost: cost, now: now)
        guard let list = try list(id, userID: userID) else { throw CurationRefusal.noList }
        return list
    }

    /// Stores a list with an id that the caller chose.
    ///
    /// - Parameters:
    ///   - job: the scheduled job that makes it; `nil` for a list that somebody has asked for.
    ///   - partner: the id of the other person in a blend.
    ///   - cost: the cost as long as no model is asked; `nil` without prices.
    package func insert(
        _ id: String, _ request: CurationRequest, title: String, userID: String,
        scheduledBy job: String? = nil, partner: String? = nil, cost: Money?, now: Timestamp
    ) throws {
        try transaction.run(
            """
            INSERT INTO curated_lists (user_id, id, kind, request, state, is_scheduled, title, total_tokens,
                input_tokens, output_tokens, cost_amount, cost_currency, calls, job_id, partner_id, created_at, change)
            VALUES (\(userID), \(id), \(request.kind.rawValue), \(try JSONColumn.encode(request)), 'queued',
                \(job != nil), \(title), 0, 0, 0, \(cost?.amountText), \(cost?.currency), 0, \(job), \(partner),
                \(now),
                \(try transaction.nextChange()))
            """)
        transaction.recordChange(of: [userID], topic: .curatedLists)
    }

    /// - Parameter partner: the id of the other person in a blend, who has agreed.
    package func set(job: String, of list: CuratedList, partner: String? = nil) throws {
        var request = list.request
        request.with = nil
        try transaction.run(
            """
            UPDATE curated_lists SET job_id = \(job), partner_id = COALESCE(\(partner), partner_id),
                request = \(try JSONColumn.encode(request))
            WHERE user_id = \(list.userID) AND id = \(list.id)
            """)
    }

    /// Writes the values of a list that change while it is made.
    func write(_ list: CuratedList) throws {
        try transaction.run(
            """
            UPDATE curated_lists SET state = \(list.state.rawValue), model = \(list.model),
                total_tokens = \(list.totalTokens), input_tokens = \(list.tokenParts?.input),
                output_tokens = \(list.tokenParts?.output), cost_amount = \(list.cost?.amountText),
                cost_currency = \(list.cost?.currency), calls = \(list.calls),
                pending_tokens = \(list.pendingCall?.tokens), pending_month = \(list.pendingCall?.month),
                answer = \(try list.answer.map { try JSONColumn.encode($0) }),
                found = \(try JSONColumn.encode(list.found)), sent = \(list.sent), fallback = \(list.fallback),
                dropped = \(try JSONColumn.encode(list.dropped)), error_code = \(list.error?.code),
                error_message = \(list.error?.message), finished_at = \(list.finishedAt),
                change = \(try transaction.nextChange())
            WHERE user_id = \(list.userID) AND id = \(list.id)
            """)
        transaction.recordChange(of: [list.userID], topic: .curatedLists)
    }

    /// Completes a list with its songs. The model's answer is no longer needed.
    package func finish(_ finished: ListContent) throws {
        guard var list = try list(finished.id, userID: finished.userID), !list.state.isFinished else { return }
        (list.state, list.dropped, list.finishedAt) = (.complete, finished.dropped, finished.at)
        (list.answer, list.found) = (nil, [])
        list.fallback = list.fallback ?? finished.fallback
        if finished.tracks.isEmpty {
            list.state = .failed
            list.error = CurationError(
                code: "nothingFound",
                message: "No song fits what you asked for. Ask for less, or exclude less.")
        }
        try write(list)
        try transaction.run(
            """
            UPDATE curated_lists SET cache_key = \(finished.cacheKey)
            WHERE user_id = \(list.userID) AND id = \(list.id)
            """)
        for (position, track) in finished.tracks.enumerated() {
            try transaction.run(
                """
                INSERT INTO curated_tracks (user_id, list_id, position, track)
                VALUES (\(list.userID), \(list.id), \(position), \(try JSONColumn.encode(track)))
                """)
        }
        if list.request.kind == .recommendations {
            try recommend(list, songs: finished.tracks.count, now: finished.at)
        } else if list.state == .complete {
            // Recommendations come on a schedule, and are in the feed.
            try transaction.publish(
                PersonNotified(
                    recipientID: list.userID, kind: .listReady, subject: list.id, actorID: nil, itemID: list.id,
                    time: finished.at))
        }
    }

    /// Completes a blend for both people, if they still agree: while songs were looked up, either may have ended the
    /// agreement, blocked the other, or have been suspended or erased. The partner gets a new list.
    package func finish(_ blend: CuratedList, asker: ListContent, partner: ListContent) throws {
        guard let list = try list(asker.id, userID: asker.userID), !list.state.isFinished else { return }
        guard try areBlending(asker.userID, partner.userID) else {
            return try fail(list.id, userID: list.userID, .notAgreed, now: asker.at)
        }
        try finish(asker)
        guard !partner.tracks.isEmpty else { return }
        try insert(
            partner.id, list.request, title: PromptText.title(of: list.request), userID: partner.userID,
            partner: asker.userID, cost: blend.cost, now: partner.at)
        try finish(partner)
    }

    package func fail(_ id: String, userID: String, _ error: CurationError, now: Timestamp) throws {
        guard var list = try list(id, userID: userID), !list.state.isFinished else { return }
        (list.state, list.error, list.finishedAt) = (.failed, error, now)
        try write(list)
    }

    /// Removes a song from a list, which equal requests then no longer find.
    ///
    /// - Returns: whether the list had it.
    package func remove(_ reference: String, from list: CuratedList) throws -> Bool {
        let tracks = try transaction.map(
            "SELECT position, track FROM curated_tracks WHERE user_id = \(list.userID) AND list_id = \(list.id)"
        ) { row -> (position: Int, track: CuratedTrack) in
            (try row["position"], try JSONColumn.decode(try row["track"], column: "track"))
        }
        guard let found = tracks.first(where: { $0.track.reference == reference }) else { return false }
        try transaction.run(
            """
            DELETE FROM curated_tracks
            WHERE user_id = \(list.userID) AND list_id = \(list.id) AND position = \(found.position)
            """)
        try withdrawRecommendations(of: list.id, at: found.position, userID: list.userID, now: .now())
        // A refinement must not bring it back.
        var request = list.request
        request.excludedTracks = Array((request.excludedTracks + [reference]).suffix(CurationRequest.mostExclusions))
        try transaction.run(
            """
            UPDATE curated_lists SET request = \(try JSONColumn.encode(request)), cache_key = NULL,
                removed_songs = removed_songs + 1, change = \(try transaction.nextChange())
            WHERE user_id = \(list.userID) AND id = \(list.id)
            """)
        transaction.recordChange(of: [list.userID], topic: .curatedLists)
        return true
    }

    /// Fails the unfinished lists of a job.
    func failLists(ofJob job: String, userID: String, _ error: CurationError, now: Timestamp) throws {
        let ids: [String] = try transaction.map(
            """
            SELECT id FROM curated_lists
            WHERE user_id = \(userID) AND job_id = \(job) AND state NOT IN ('complete', 'failed')
            """
        ) { try $0["id"] }
        for id in ids { try fail(id, userID: userID, error, now: now) }
    }

    /// Deletes a list; its usage remains counted.
    ///
    /// - Returns: the job that makes it, if it is unfinished.
    /// - Throws: ``CurationRefusal/noList``.
    package func delete(_ id: String, userID: String) throws -> String? {
        guard let list = try list(id, userID: userID) else { throw CurationRefusal.noList }
        if list.request.kind == .recommendations {
            try withdrawRecommendations(of: id, userID: userID, now: .now())
        }
        try transaction.run("DELETE FROM curated_tracks WHERE user_id = \(userID) AND list_id = \(id)")
        try transaction.run("DELETE FROM curated_lists WHERE user_id = \(userID) AND id = \(id)")
        try transaction.recordGone(.curatedList, ids: [id], userID: userID)
        return list.state.isFinished ? nil : list.jobID
    }

    /// Deletes finished lists.
    ///
    /// - Returns: the number of deleted lists.
    package func prune(finishedBefore cutoff: PruningTime, limit: Int) throws -> Int {
        let old: [(String, String)] = try transaction.map(
            """
            SELECT user_id, id FROM curated_lists WHERE finished_at < \(cutoff.moment) ORDER BY finished_at
            LIMIT \(limit)
            """
        ) { (try $0["user_id"], try $0["id"]) }
        for (userID, id) in old { _ = try delete(id, userID: userID) }
        return old.count
    }
}
