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

    /// Everyone whom a person has asked, was asked by, has agreed with, or has blocked; at most 500.
    package func partners(of userID: String) throws -> [BlendPartner] {
        try transaction.map(
            """
            SELECT \(BlendPartner.columns) FROM blend_partners WHERE user_id = \(userID)
            ORDER BY since_at DESC, partner_id LIMIT 500
            """, BlendPartner.init)
    }

    /// A person's partners that changed after `change`, in the order of their changes.
    package func changedPartners(userID: String, after change: Int64, limit: Int) throws -> [BlendPartner] {
        try transaction.map(
            """
            SELECT \(BlendPartner.columns) FROM blend_partners
            WHERE user_id = \(userID) AND change > \(change) ORDER BY change LIMIT \(limit)
            """, BlendPartner.init)
    }

    /// The ids of everyone whom the person's rows name, or whose rows name the person.
    func everyPartner(of userID: String, limit: Int) throws -> [String] {
        try transaction.map(
            """
            SELECT partner_id AS id FROM blend_partners WHERE user_id = \(userID)
            UNION SELECT user_id FROM blend_partners WHERE partner_id = \(userID) LIMIT \(limit)
            """
        ) { try $0["id"] }
    }

    /// Whether both people have agreed.
    package func areBlending(_ userID: String, _ partnerID: String) throws -> Bool {
        try partner(partnerID, of: userID)?.state == .accepted && partner(userID, of: partnerID)?.state == .accepted
    }

    /// A person's blends with a partner that are waiting for the partner's consent.
    package func waitingBlends(userID: String, with partner: BlendSubject) throws -> [CuratedList] {
        try transaction.map(
            """
            SELECT \(CuratedList.columns) FROM curated_lists
            WHERE user_id = \(userID) AND kind = 'blend' AND state = 'queued' AND job_id IS NULL ORDER BY id LIMIT 100
            """, CuratedList.init
        ).filter { list in
            // A blend may have been requested before anybody had the name.
            list.partnerID.map { $0 == partner.id } ?? (list.request.with == partner.name)
        }
    }
}

/// A person in a blend, or a name that nobody has.
package struct BlendSubject: Sendable, Hashable {
    /// The id, as in ``BlendPartner/partnerID``.
    package var id: String
    package var name: String

    package init(id: String, name: String) { (self.id, self.name) = (id, name) }

    /// Creates the subject for a name that nobody has.
    package init(unknown name: String) { self.init(id: BlendPartner.unknownID(name), name: name) }

    var isKnown: Bool { id != BlendPartner.unknownID(name) }

    /// The person's id; `nil` for a name that nobody has.
    package var known: String? { isKnown ? id : nil }
}

extension CurationStore where Access == WriteTransaction {
    /// The most people whom a person may ask or block in a day (UTC), which limits guessing names.
    private static var mostRequestsPerDay: Int { 20 }

    /// Asks a partner for their consent, unless there is an answer already. A person who was asked by the partner
    /// agrees by asking.
    ///
    /// - Returns: whether both have agreed.
    /// - Throws: ``CurationRefusal/blocked`` if the person has blocked the partner;
    ///   ``CurationRefusal/tooManyRequests``.
    package func ask(_ partner: BlendSubject, by person: BlendSubject, now: Timestamp) throws -> Bool {
        try know(partner, by: person)
        try know(person, by: partner)
        switch try self.partner(partner.id, of: person.id)?.state {
        case .blocked: throw CurationRefusal.blocked
        case .accepted: return true
        case .asked:
            try agree(person, partner, now: now)
            return true
        case .asking: break
        case nil: try countRequest(userID: person.id, now: now)
        }
        if partner.isKnown {
            switch try self.partner(person.id, of: partner.id)?.state {
            case .asking:
                // The partner's request met a block that has been removed since.
                try agree(person, partner, now: now)
                return true
            case nil: try set(.asked, partner.id, person.id, now: now)
            case .asked, .accepted, .blocked: break
            }
        }
        if try self.partner(partner.id, of: person.id) == nil { try set(.asking, person.id, partner.id, now: now) }
        return false
    }

    private func agree(_ one: BlendSubject, _ other: BlendSubject, now: Timestamp) throws {
        try set(.accepted, one.id, other.id, now: now)
        try set(.accepted, other.id, one.id, now: now)
    }

    /// Replaces a person's row for a name that nobody had, once somebody has it. A block remains a block; a request
    /// ends, since it was not meant for whoever takes the name later.
    private func know(_ partner: BlendSubject, by person: BlendSubject) throws {
        guard partner.isKnown, person.isKnown else { return }
        let unknown = BlendPartner.unknownID(partner.name)
        guard let kept = try self.partner(unknown, of: person.id) else { return }
        try remove(person.id, unknown)
        guard kept.state == .blocked, try self.partner(partner.id, of: person.id) == nil else { return }
        try set(.blocked, person.id, partner.id, now: kept.since)
    }

    /// - Throws: ``CurationRefusal/tooManyRequests``.
    private func countRequest(userID: String, now: Timestamp) throws {
        let day = String(now.description.prefix(10))
        let row = try transaction.row("SELECT day, requests FROM blend_requests WHERE user_id = \(userID)")
        let former: Int = try row?["day"] == day ? try row?["requests"] ?? 0 : 0
        guard former < Self.mostRequestsPerDay else { throw CurationRefusal.tooManyRequests }
        try transaction.run(
            """
            INSERT INTO blend_requests (user_id, day, requests) VALUES (\(userID), \(day), \(former + 1))
            ON CONFLICT (user_id) DO UPDATE SET day = excluded.day, requests = excluded.requests
            """)
    }

    /// Records a person's answer to somebody who has asked, or blocks somebody.
    ///
    /// - Throws: ``CurationRefusal/notAsked``; ``CurationRefusal/tooManyRequests`` for a block.
    package func answer(
        _ answer: BlendAnswer, to partner: BlendSubject, by person: BlendSubject, now: Timestamp
    ) throws {
        try know(partner, by: person)
        let own = try self.partner(partner.id, of: person.id)
        switch answer {
        case .accept:
            guard own?.state == .asked else { throw CurationRefusal.notAsked }
            try agree(person, partner, now: now)
        case .decline:
            guard own?.state == .asked else { throw CurationRefusal.notAsked }
            try end(partner, of: person, now: now)
        case .block:
            if own == nil { try countRequest(userID: person.id, now: now) }
            // The partner's row stays as it is, so that it does not reveal the block; an agreement ends.
            if own?.state == .accepted { try remove(partner.id, person.id) }
            try set(.blocked, person.id, partner.id, now: now)
        }
    }

    /// Ends an agreement or a request, or removes a block. A request that met the block is made again.
    ///
    /// - Returns: the state that has ended; `nil` if there was none.
    @discardableResult
    package func end(
        _ partner: BlendSubject, of person: BlendSubject, now: Timestamp
    ) throws -> BlendPartner.State? {
        let former = try self.partner(BlendPartner.unknownID(partner.name), of: person.id)?.state
        try know(partner, by: person)
        guard let own = try self.partner(partner.id, of: person.id) else { return former }
        let other = partner.isKnown ? try self.partner(person.id, of: partner.id) : nil
        try remove(person.id, partner.id)
        if own.state == .blocked {
            if other?.state == .asking { try set(.asked, person.id, partner.id, now: now) }
        } else if other?.state != .blocked {
            try remove(partner.id, person.id)
        }
        return own.state
    }

    /// Deletes the rows of two people about each other.
    func erase(_ partnerID: String, and userID: String) throws {
        try remove(userID, partnerID)
        try remove(partnerID, userID)
    }

    private func set(_ state: BlendPartner.State, _ userID: String, _ partnerID: String, now: Timestamp) throws {
        try transaction.run(
            """
            INSERT INTO blend_partners (user_id, partner_id, state, since_at, change)
            VALUES (\(userID), \(partnerID), \(state.rawValue), \(now), \(try transaction.nextChange()))
            ON CONFLICT (user_id, partner_id)
            DO UPDATE SET state = excluded.state, since_at = excluded.since_at, change = excluded.change
            """)
        transaction.recordChange(of: [userID], topic: .curatedLists)
    }

    private func remove(_ userID: String, _ partnerID: String) throws {
        try transaction.run(
            "DELETE FROM blend_partners WHERE user_id = \(userID) AND partner_id = \(partnerID)")
    }
}
