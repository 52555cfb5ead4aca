import Model
import Storage
import Visibility

extension CurationStore {
    func partner(_ partnerID: String, of userID: String) throws -> BlendPartner? {
        try transaction.row(
            """
            SELECT \(BlendPartner.columns) FROM blend_partners
            WHERE user_id = \(userID) AND partner_id = \(partnerID)
            """
        ).map { try BlendPartner(row: $0) }
    }

    /// Everyone whom a person has asked, was asked by, or has agreed with, the latest first; at most 500.
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

    /// Whether both people have agreed, neither is suspended or gone, and neither has blocked the other.
    package func areBlending(_ userID: String, _ partnerID: String) throws -> Bool {
        guard try partner(partnerID, of: userID)?.state == .accepted,
            try partner(userID, of: partnerID)?.state == .accepted
        else { return false }
        return try transaction.visibility.canSee(.act, of: partnerID, as: userID)
    }

    /// A person's blends that are waiting for a partner's consent.
    ///
    /// - Parameters:
    ///   - partnerID: the partner's id; `nil` for a request that reaches nobody.
    ///   - name: the name under which the partner may have been asked.
    package func waitingBlends(userID: String, with partnerID: String?, named name: String?) throws -> [CuratedList] {
        try transaction.map(
            """
            SELECT \(CuratedList.columns) FROM curated_lists
            WHERE user_id = \(userID) AND kind = 'blend' AND state = 'queued' AND job_id IS NULL ORDER BY id LIMIT 100
            """, CuratedList.init
        ).filter { list in
            // A blend may have been requested when the request reached nobody.
            list.partnerID.map { $0 == partnerID } ?? (name != nil && list.request.with == name)
        }
    }

    /// The row that a person's list of partners shows under the name of a subject. No other row answers to the name, so
    /// that nobody finds out the present name of somebody who hides it.
    ///
    /// - Parameter relation: of the viewer to the subject; `nil` if nobody has the name.
    func partner(shownAs subject: BlendSubject, to viewer: Viewer, _ relation: Relation?) throws -> BlendPartner? {
        if let relation, let row = try partner(relation.person.userID, of: viewer.userID),
            relation.canSee(row.facet) || row.state == .asking && row.name == subject.name
        {
            return row
        }
        if let row = try partner(BlendPartner.unknownID(subject.name), of: viewer.userID) { return row }
        // Somebody had the name when they were asked, and has another one now.
        let asked = try transaction.map(
            """
            SELECT \(BlendPartner.columns) FROM blend_partners
            WHERE user_id = \(viewer.userID) AND name = \(subject.name) AND state = 'asking'
            """, BlendPartner.init)
        return try asked.first { row in
            guard let id = row.personID, id != subject.personID else { return false }
            return try !transaction.visibility.canSee(row.facet, of: id, as: viewer.userID)
        }
    }
}

extension CurationStore where Access == WriteTransaction {
    /// Writes a person's row about a partner. A row that exists keeps its id.
    ///
    /// - Parameter name: the name that the person asked for.
    func set(
        _ state: BlendPartner.State, _ partnerID: String, of userID: String, name: String? = nil, now: Timestamp
    ) throws {
        try transaction.run(
            """
            INSERT INTO blend_partners (user_id, partner_id, id, name, state, since_at, change)
            VALUES (
                \(userID), \(partnerID), \(UUIDv7.next()), \(name), \(state.rawValue), \(now),
                \(try transaction.nextChange()))
            ON CONFLICT (user_id, partner_id) DO UPDATE SET
                name = excluded.name, state = excluded.state, since_at = excluded.since_at, change = excluded.change
            """)
        transaction.recordChange(of: [userID], topic: .curatedLists)
    }

    /// Deletes a person's row about a partner, and records that it is gone. Does nothing if there is none.
    func remove(_ partnerID: String, of userID: String) throws {
        let row = try transaction.row(
            "SELECT id FROM blend_partners WHERE user_id = \(userID) AND partner_id = \(partnerID)")
        guard let id: String = try row?["id"] else { return }
        try transaction.run("DELETE FROM blend_partners WHERE user_id = \(userID) AND partner_id = \(partnerID)")
        try transaction.recordGone(.blendPartner, ids: [id], userID: userID)
    }

    /// Has a request reach somebody, or nobody, without a change that the person who made it could see.
    ///
    /// - Parameter partnerID: about whom, or about which name, the person has no row.
    func redirect(_ request: BlendPartner, to partnerID: String) throws {
        try transaction.run(
            """
            UPDATE blend_partners SET partner_id = \(partnerID)
            WHERE user_id = \(request.userID) AND partner_id = \(request.partnerID)
            """)
    }
}
