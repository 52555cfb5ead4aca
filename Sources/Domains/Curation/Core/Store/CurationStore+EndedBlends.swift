import Model
import Storage
import Visibility

/// What the blends of two people lose when one of them blocks the other, or is erased. They keep their songs.
extension CurationStore where Access == WriteTransaction {
    /// The most blends of each person that the transaction of a block changes; the rest is left to an upkeep step.
    static var blendsOfBlock: Int { 20 }

    /// Ends the agreement and the requests of two people, and separates their blends. The blocked person sees what they
    /// would see of an erasure.
    func endBlends(of blockerID: String, with blockedID: String, now: Timestamp) throws {
        if let row = try partner(blockedID, of: blockerID) { try endRow(row, now: now) }
        try forgetPartner(blockerID, of: blockedID)
        for (userID, partnerID) in [(blockerID, blockedID), (blockedID, blockerID)] {
            let lists = try blends(of: userID, with: partnerID, limit: Self.blendsOfBlock)
            for list in lists { try separate(list, now: now) }
            guard lists.count == Self.blendsOfBlock else { continue }
            try transaction.run(
                """
                INSERT INTO former_blend_partners (user_id, partner_id) VALUES (\(userID), \(partnerID))
                ON CONFLICT (user_id, partner_id) DO NOTHING
                """)
        }
    }

    /// Ends a person's row about somebody who no longer exists for them.
    ///
    /// A request to somebody whom the person could not see stays unanswered, as if nobody had the name, so that nobody
    /// learns that a private profile existed.
    func forgetPartner(_ partnerID: String, of userID: String) throws {
        if try isHidden(partnerID), try isAsked(partnerID, by: userID), let row = try partner(partnerID, of: userID),
            let name = row.name, try partner(BlendPartner.unknownID(name), of: userID) == nil
        {
            return try redirect(row, to: BlendPartner.unknownID(name))
        }
        try remove(partnerID, of: userID)
    }

    /// Removes the other person from a blend, and fails it if it is not made yet. One that waits for the consent of
    /// somebody whom its person could not see stays, as if nobody had the name.
    func separate(_ list: CuratedList, now: Timestamp) throws {
        var request = list.request
        if request.with != nil, let partnerID = list.partnerID, try isHidden(partnerID) {
            return try set(partner: nil, of: list)
        }
        request.with = nil
        try transaction.run(
            """
            UPDATE curated_lists SET request = \(try JSONColumn.encode(request)), partner_id = NULL,
                change = \(try transaction.nextChange())
            WHERE user_id = \(list.userID) AND id = \(list.id)
            """)
        transaction.recordChange(of: [list.userID], topic: .curatedLists)
        try fail(list.id, userID: list.userID, .notAgreed, now: now)
    }

    private func isAsked(_ partnerID: String, by userID: String) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM blend_partners
            WHERE user_id = \(userID) AND partner_id = \(partnerID) AND state = 'asking'
            """) != nil
    }

    /// Whether nobody can see a person, or nobody could when their erasure began.
    private func isHidden(_ userID: String) throws -> Bool {
        try transaction.visibility.person(userID: userID)?.visibility == .private
    }

    /// Changes whose answer a blend without consent waits for, which its person does not see.
    func set(partner partnerID: String?, of list: CuratedList) throws {
        try transaction.run(
            """
            UPDATE curated_lists SET partner_id = \(partnerID) WHERE user_id = \(list.userID) AND id = \(list.id)
            """)
    }

    /// Separates blends of people who blocked each other.
    ///
    /// - Parameter ids: the blends of one person.
    package func separate(_ ids: some Sequence<String>, userID: String, now: Timestamp) throws {
        for id in ids {
            guard let list = try list(id, userID: userID), list.partnerID != nil else { continue }
            try separate(list, now: now)
        }
    }

    /// Deletes a person's row about somebody from whom all of their blends are separated.
    package func deleteFormerPartner(_ partner: FormerBlendPartner) throws {
        guard try blends(of: partner.userID, with: partner.partnerID, limit: 1).isEmpty else { return }
        try transaction.run(
            """
            DELETE FROM former_blend_partners WHERE user_id = \(partner.userID) AND partner_id = \(partner.partnerID)
            """)
    }
}

extension CurationStore {
    /// A person's blends with another, the latest first.
    package func blends(of userID: String, with partnerID: String, limit: Int) throws -> [CuratedList] {
        try transaction.map(
            """
            SELECT \(CuratedList.columns) FROM curated_lists
            WHERE partner_id = \(partnerID) AND user_id = \(userID) ORDER BY id DESC LIMIT \(limit)
            """, CuratedList.init)
    }

    /// People whose blends still refer to somebody whom they have blocked, or who has blocked them.
    package func formerPartners(limit: Int) throws -> [FormerBlendPartner] {
        try transaction.map(
            "SELECT user_id, partner_id FROM former_blend_partners ORDER BY user_id, partner_id LIMIT \(limit)"
        ) { FormerBlendPartner(userID: try $0["user_id"], partnerID: try $0["partner_id"]) }
    }
}

/// A person, and somebody to whom the person's blends no longer refer once an upkeep step has separated them: a row of
/// `former_blend_partners`.
package struct FormerBlendPartner: Sendable, Hashable {
    package let userID: String
    package let partnerID: String
}
