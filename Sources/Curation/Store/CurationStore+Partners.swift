import Model
import Storage

extension CurationStore {
    package func partner(_ partnerID: String, of userID: String) throws -> BlendPartner? {
        try transaction.row(
            """
            SELECT \(BlendPartner.columns) FROM blend_partners
            WHERE user_id = \(userID) AND partner_id = \(partnerID)
            """
        ).map { try BlendPartner(row: $0) }
    }

    /// All whom a person has asked, was asked by, has agreed with, or has blocked; 500 at most.
    package func partners(of userID: String) throws -> [BlendPartner] {
        try transaction.map(
            """
            SELECT \(BlendPartner.columns) FROM blend_partners WHERE user_id = \(userID)
            ORDER BY since_at DESC, partner_id LIMIT 500
            """, BlendPartner.init)
    }

    /// A person's partners that changed after `change`, in the order in which they did.
    package func changedPartners(userID: String, after change: Int64, limit: Int) throws -> [BlendPartner] {
        try transaction.map(
            """
            SELECT \(BlendPartner.columns) FROM blend_partners
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change LIMIT \(limit)
            """, BlendPartner.init)
    }

    /// The ids of those in whose rows, or the person's, the other is named.
    func everyPartner(of userID: String, limit: Int) throws -> [String] {
        try transaction.map(
            """
            SELECT partner_id AS id FROM blend_partners WHERE user_id = \(userID)
            UNION SELECT user_id FROM blend_partners WHERE partner_id = \(userID) LIMIT \(limit)
            """
        ) { try $0["id"] }
    }

    /// Whether both have agreed.
    package func areBlending(_ userID: String, _ partnerID: String) throws -> Bool {
        try partner(partnerID, of: userID)?.state == .accepted && partner(userID, of: partnerID)?.state == .accepted
    }

    /// A person's blends with a partner that wait for the partner's consent.
    package func waitingBlends(userID: String, with username: String) throws -> [CuratedList] {
        try transaction.map(
            """
            SELECT \(CuratedList.columns) FROM curated_lists
            WHERE user_id = \(userID) AND kind = 'blend' AND state = 'queued' AND job_id IS NULL ORDER BY id LIMIT 100
            """, CuratedList.init
        ).filter { $0.request.with == username }
    }
}

extension CurationStore where Access == WriteTransaction {
    /// Asks a partner for their consent, unless there is an answer. Who was asked by the partner agrees by asking.
    ///
    /// - Returns: whether both have agreed.
    /// - Throws: ``CurationRefusal/blocked`` when the person has blocked the partner.
    package func ask(_ partnerID: String, by userID: String, now: Timestamp) throws -> Bool {
        switch try partner(partnerID, of: userID)?.state {
        case .blocked: throw CurationRefusal.blocked
        case .accepted: return true
        case .asked:
            try set(.accepted, userID, partnerID, now: now)
            try set(.accepted, partnerID, userID, now: now)
            return true
        case .asking, nil: break
        }
        switch try partner(userID, of: partnerID)?.state {
        case .asking:
            // Their request met a block that was taken back since.
            try set(.accepted, userID, partnerID, now: now)
            try set(.accepted, partnerID, userID, now: now)
            return true
        case nil: try set(.asked, partnerID, userID, now: now)
        case .asked, .accepted, .blocked: break
        }
        if try partner(partnerID, of: userID) == nil { try set(.asking, userID, partnerID, now: now) }
        return false
    }

    /// Takes the answer of a person who was asked.
    ///
    /// - Throws: ``CurationRefusal/notAsked``.
    package func answer(_ answer: BlendAnswer, to partnerID: String, by userID: String, now: Timestamp) throws {
        let own = try partner(partnerID, of: userID)
        switch answer {
        case .accept:
            guard own?.state == .asked else { throw CurationRefusal.notAsked }
            try set(.accepted, userID, partnerID, now: now)
            try set(.accepted, partnerID, userID, now: now)
        case .decline:
            guard own?.state == .asked else { throw CurationRefusal.notAsked }
            try end(partnerID, of: userID, now: now)
        case .block:
            // The partner's row stays as it is, so that it says nothing; an agreement ends.
            if own?.state == .accepted { try remove(partnerID, userID) }
            try set(.blocked, userID, partnerID, now: now)
        }
    }

    /// Ends an agreement or a request, or takes a block back. A request that met the block is asked again.
    ///
    /// - Returns: what has ended; `nil` when there was nothing.
    @discardableResult
    package func end(_ partnerID: String, of userID: String, now: Timestamp) throws -> BlendPartner.State? {
        guard let own = try partner(partnerID, of: userID) else { return nil }
        let other = try partner(userID, of: partnerID)
        try remove(userID, partnerID)
        if own.state == .blocked {
            if other?.state == .asking { try set(.asked, userID, partnerID, now: now) }
        } else if other?.state != .blocked {
            try remove(partnerID, userID)
        }
        return own.state
    }

    /// Deletes both rows of two people.
    func erase(_ partnerID: String, and userID: String) throws {
        try remove(userID, partnerID)
        try remove(partnerID, userID)
    }

    private func set(_ state: BlendPartner.State, _ userID: String, _ partnerID: String, now: Timestamp) throws {
        try transaction.execute(
            """
            INSERT INTO blend_partners (user_id, partner_id, state, since_at, change)
            VALUES (\(userID), \(partnerID), \(state.rawValue), \(now), \(try transaction.nextChange()))
            ON CONFLICT (user_id, partner_id)
            DO UPDATE SET state = excluded.state, since_at = excluded.since_at, change = excluded.change
            """)
        transaction.noteChange(of: [userID], topic: .curatedLists)
    }

    private func remove(_ userID: String, _ partnerID: String) throws {
        try transaction.execute(
            "DELETE FROM blend_partners WHERE user_id = \(userID) AND partner_id = \(partnerID)")
    }
}
