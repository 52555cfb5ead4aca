import DomainEvents
import Model
import Storage
import Visibility

extension ShareStore {
    /// Adds how many people have reacted to shares, without those whom a block hides from the viewer.
    func addReactions(to shares: inout [Share], for viewer: Viewer) throws {
        guard !shares.isEmpty else { return }
        var counts = try reactionCounts(of: shares.map(\.id.number))
        guard !counts.isEmpty else { return }
        try transaction.forEachRow(
            """
            SELECT share, reaction, thanked FROM share_reactions
            WHERE share IN (\(list: counts.keys.sorted())) AND person IN (\(Self.blocked(for: viewer)))
            """
        ) { row in
            let (share, reaction): (Int64, Int64?) = (try row["share"], try row["reaction"])
            if let reaction { counts[share]?[reaction, default: 0] -= 1 }
            if try row["thanked"] { counts[share]?[Self.thanks, default: 0] -= 1 }
            return .continue
        }
        for index in shares.indices {
            if let found = counts[shares[index].id.number] { shares[index].reactions.set(found) }
        }
    }

    /// How many people have reacted to shares in which way, by the shares' numbers and those of reactions.
    func reactionCounts(of shares: [Int64]) throws -> [Int64: [Int64: Int]] {
        var counts: [Int64: [Int64: Int]] = [:]
        try transaction.forEachRow(
            "SELECT share, reaction, total FROM share_reaction_counts WHERE share IN (\(list: shares))"
        ) { row in
            counts[try row["share"], default: [:]][try row["reaction"]] = try row["total"]
            return .continue
        }
        return counts
    }

    /// Those whose reactions a block hides from a viewer: the keys of people, as a statement.
    static func blocked(for viewer: Viewer) -> SQL {
        """
        SELECT blocked FROM blocks WHERE blocker = \(viewer.key)
        UNION SELECT blocker FROM blocks WHERE blocked = \(viewer.key)
        """
    }

    /// The number of thanks in `share_reaction_counts`.
    fileprivate static var thanks: Int64 { ShareReactions.thanksNumber }
}

extension ShareReactions {
    /// The number of thanks among those of reactions.
    static let thanksNumber: Int64 = 0

    /// - Parameter found: how many people have reacted, by the numbers of reactions.
    mutating func set(_ found: [Int64: Int]) {
        for (number, people) in found where people > 0 {
            if let reaction = ShareReaction(number: number) { counts[reaction] = people }
        }
        thanks = max(0, found[Self.thanksNumber] ?? 0)
    }
}

extension ShareStore {
    /// Whether ``deleteLeftReactions(limit:)`` has something to do.
    package func hasLeftReactions() throws -> Bool {
        try transaction.row("SELECT 1 FROM share_removals LIMIT 1") != nil
    }
}

extension ShareStore where Access == WriteTransaction {
    /// Sets what a person says of another one's share; `nil` withdraws it. The same again changes nothing.
    ///
    /// - Throws: ``ShareRefusal``; `ActLimitReached`.
    package func react(_ reaction: ShareReaction?, to id: ShareID, by userID: String, now: Timestamp) throws {
        let (viewer, sender, former) = try seen(id, by: userID)
        guard former.reaction != reaction?.number else { return }
        try replace(
            former, by: Reaction(reaction: reaction?.number, hasThanked: former.hasThanked), share: id, of: viewer,
            sender, counts: reaction != nil, now: now)
    }

    /// Thanks for a share, or withdraws it. The same again changes nothing.
    ///
    /// - Throws: ``ShareRefusal``; `ActLimitReached`.
    package func thank(_ thanks: Bool, for id: ShareID, by userID: String, now: Timestamp) throws {
        let (viewer, sender, former) = try seen(id, by: userID)
        guard former.hasThanked != thanks else { return }
        try replace(
            former, by: Reaction(reaction: former.reaction, hasThanked: thanks), share: id, of: viewer, sender,
            counts: thanks, now: now)
    }

    private struct Reaction {
        var reaction: Int64?
        var hasThanked: Bool
    }

    private func seen(
        _ id: ShareID, by userID: String
    ) throws -> (viewer: Viewer, sender: PersonKey, former: Reaction) {
        guard let viewer = try transaction.visibility.viewer(userID: userID),
            let sender = try sender(of: id, for: viewer)
        else { throw ShareRefusal.unknownShare }
        guard sender != viewer.key else { throw ShareRefusal.ownShare }
        let row = try transaction.row(
            "SELECT reaction, thanked FROM share_reactions WHERE share = \(id.number) AND person = \(viewer.key)")
        guard let row else { return (viewer, sender, Reaction(hasThanked: false)) }
        return (viewer, sender, Reaction(reaction: try row["reaction"], hasThanked: try row["thanked"]))
    }

    /// - Parameter counts: whether it counts against the limit.
    private func replace(
        _ former: Reaction, by new: Reaction, share: ShareID, of viewer: Viewer, _ sender: PersonKey, counts: Bool,
        now: Timestamp
    ) throws {
        if counts { try transaction.visibility.count(ActLimit.shareReactions, by: viewer.key, now: now) }
        if new.reaction == nil && !new.hasThanked {
            try transaction.run(
                "DELETE FROM share_reactions WHERE share = \(share.number) AND person = \(viewer.key)")
        } else {
            try transaction.run(
                """
                INSERT INTO share_reactions (share, person, reaction, thanked, reacted_at, change)
                VALUES (
                    \(share.number), \(viewer.key), \(new.reaction), \(new.hasThanked), \(now),
                    \(try transaction.nextChange()))
                ON CONFLICT (share, person) DO UPDATE SET reaction = excluded.reaction, thanked = excluded.thanked,
                    reacted_at = excluded.reacted_at, change = excluded.change
                """)
        }
        try count(former, -1, share.number)
        try count(new, 1, share.number)
        try recordShare(share.number, for: [viewer.key, sender])
        try notify(sender, of: share, by: viewer, isWithdrawn: new.reaction == nil && !new.hasThanked, now: now)
        try transaction.visibility.recordAcquaintance(between: viewer.key, and: sender)
    }

    /// Notifies the sender of the first reaction of somebody, until all of it is withdrawn.
    private func notify(
        _ sender: PersonKey, of share: ShareID, by viewer: Viewer, isWithdrawn: Bool, now: Timestamp
    ) throws {
        guard let senderID = try transaction.visibility.userIDs(of: [sender])[sender] else { return }
        let item = "\(share.number) \(viewer.key.rawValue)"
        guard !isWithdrawn else {
            return try transaction.publish(
                NotificationWithdrawn(recipientID: senderID, kind: .reaction, itemID: item))
        }
        try transaction.publish(
            PersonNotified(
                recipientID: senderID, kind: .reaction, subject: share.text, actorID: viewer.userID, itemID: item,
                time: now))
    }

    private func count(_ reaction: Reaction, _ difference: Int, _ share: Int64) throws {
        if let number = reaction.reaction { try count(number, difference, share) }
        if reaction.hasThanked { try count(Self.thanks, difference, share) }
    }

    private func count(_ reaction: Int64, _ difference: Int, _ share: Int64) throws {
        try transaction.run(
            """
            INSERT INTO share_reaction_counts (share, reaction, total) VALUES (\(share), \(reaction), \(difference))
            ON CONFLICT (share, reaction) DO UPDATE SET total = share_reaction_counts.total + excluded.total
            """)
        guard difference < 0 else { return }
        try transaction.run(
            "DELETE FROM share_reaction_counts WHERE share = \(share) AND reaction = \(reaction) AND total <= 0")
    }

    /// A share has changed for some people. Others read it with their next page.
    func recordShare(_ share: Int64, for people: Set<PersonKey>) throws {
        let userIDs = try transaction.visibility.userIDs(of: people)
        for person in userIDs.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            try transaction.run(
                """
                INSERT INTO share_changes (person, share, change)
                VALUES (\(person), \(share), \(try transaction.nextChange()))
                ON CONFLICT (person, share) DO UPDATE SET change = excluded.change
                """)
        }
        transaction.recordChange(of: userIDs.values, topic: .shares)
    }

    /// Deletes reactions to a share that is gone, for those who reacted as well.
    ///
    /// - Parameter isRecorded: whether they learn that it is gone; not if they learn that its sender is.
    /// - Returns: how many.
    func deleteReactions(to id: ShareID, limit: Int, isRecorded: Bool = true) throws -> Int {
        let people = try transaction.map(
            "SELECT person FROM share_reactions WHERE share = \(id.number) ORDER BY person LIMIT \(limit)"
        ) { try $0["person"] as PersonKey }
        guard !people.isEmpty else { return 0 }
        let userIDs = try transaction.visibility.userIDs(of: people)
        for person in people {
            try transaction.run("DELETE FROM share_reactions WHERE share = \(id.number) AND person = \(person)")
            try transaction.run("DELETE FROM share_changes WHERE person = \(person) AND share = \(id.number)")
            guard isRecorded, let userID = userIDs[person] else { continue }
            try transaction.recordGone(.share, ids: [id.text], userID: userID)
        }
        return people.count
    }

    /// Deletes what ``deleteShare(_:content:sender:)`` has left.
    ///
    /// - Returns: how many reactions were deleted, or the limit if there may be more.
    package func deleteLeftReactions(limit: Int) throws -> Int {
        let row = try transaction.row(
            "SELECT share AS number, shared_at FROM share_removals ORDER BY share LIMIT 1")
        guard let id = try row.map(ShareID.init(row:)) else { return 0 }
        guard try deleteReactions(to: id, limit: limit) < limit else { return limit }
        try transaction.run("DELETE FROM share_removals WHERE share = \(id.number)")
        return limit
    }

    /// Withdraws all that an erased person has said of a share. Its sender learns that the person is gone.
    func withdraw(_ share: Int64, by person: PersonKey) throws {
        let row = try transaction.row(
            "SELECT reaction, thanked FROM share_reactions WHERE share = \(share) AND person = \(person)")
        guard let row else { return }
        try transaction.run("DELETE FROM share_reactions WHERE share = \(share) AND person = \(person)")
        guard try transaction.row("SELECT 1 FROM shares WHERE number = \(share)") != nil else { return }
        try count(Reaction(reaction: try row["reaction"], hasThanked: try row["thanked"]), -1, share)
    }
}
