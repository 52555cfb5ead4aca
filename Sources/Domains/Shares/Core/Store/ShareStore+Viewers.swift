import Model
import Storage
import Visibility

/// Shares for many viewers at once. A new share reaches the open streams of all followers at the same moment, and what it
/// shows differs little between them.
extension ShareStore {
    /// Those of the shares that each of some viewers may see at this moment, in five statements for all of them.
    ///
    /// - Parameters:
    ///   - numbers: each once.
    ///   - viewers: each once; at most some hundreds.
    package func shares(
        _ numbers: [Int64], for viewers: [Viewer], now: Timestamp
    ) throws -> [PersonKey: [Share]] {
        let bodies = try bodies(of: numbers, now: now)
        guard !bodies.isEmpty, !viewers.isEmpty else { return [:] }
        let people = viewers.map(\.key)
        var shares: [PersonKey: [Share]] = [:]
        try transaction.forEachRow(
            """
            SELECT viewers.key AS viewer, shares.number AS number, \(Standing.columns(forKey: "viewers.key")),
                own_reactions.reaction AS mine, own_reactions.thanked AS has_thanked
            FROM shares CROSS JOIN people AS viewers JOIN people ON people.key = shares.sender
                LEFT JOIN share_reactions AS own_reactions
                    ON own_reactions.share = shares.number AND own_reactions.person = viewers.key
            WHERE shares.number IN (\(list: numbers)) AND viewers.key IN (\(list: people)) AND viewers.state = 0
                AND \(Self.isVisible(toKey: "viewers.key"))
            """
        ) { row in
            let (viewer, number): (PersonKey, Int64) = (try row["viewer"], try row["number"])
            guard let body = bodies[number] else { return .continue }
            let sender = try Standing(row: row)
            shares[viewer, default: []].append(
                Share(
                    id: body.id, sender: sender, isMine: sender.key == viewer, song: body.song, content: body.content,
                    message: body.message, reactions: try ShareReactions(row: row), pinnedUntil: body.pinnedUntil))
            return .continue
        }
        try addReactions(to: &shares, of: numbers)
        return shares
    }

    /// What a share shows all who may see it.
    private struct Body {
        let id: ShareID
        let song: ShareSong
        let content: Int64
        let message: String?
        let pinnedUntil: Timestamp?
    }

    private func bodies(of numbers: [Int64], now: Timestamp) throws -> [Int64: Body] {
        try transaction.map(
            """
            SELECT shares.number, shares.shared_at, shares.content, shares.message, \(ShareSong.columns),
                share_pins.ends_at AS pinned_until
            FROM shares JOIN share_contents ON share_contents.key = shares.content
                LEFT JOIN share_pins ON share_pins.person = shares.sender AND share_pins.share = shares.number
                    AND share_pins.ends_at > \(now)
            WHERE shares.number IN (\(list: numbers))
            """
        ) { row in
            Body(
                id: try ShareID(row: row), song: try ShareSong(row: row), content: try row["content"],
                message: try row["message"], pinnedUntil: try row["pinned_until"])
        }.reduce(into: [:]) { $0[$1.id.number] = $1 }
    }

    /// Adds how many people have reacted, for each viewer without those whom a block hides.
    private func addReactions(to shares: inout [PersonKey: [Share]], of numbers: [Int64]) throws {
        let counts = try reactionCounts(of: numbers)
        guard !counts.isEmpty, !shares.isEmpty else { return }
        let hidden = try hiddenReactions(to: counts.keys.sorted(), from: Array(shares.keys))
        for (viewer, own) in shares {
            let hidden = hidden[viewer] ?? [:]
            shares[viewer] = own.map { share in
                guard let found = counts[share.id.number] else { return share }
                var share = share
                share.reactions.set(found.merging(hidden[share.id.number] ?? [:]) { $0 - $1 })
                return share
            }
        }
    }

    /// How many reactions a block hides from each of some viewers, by the shares' numbers and those of reactions.
    private func hiddenReactions(
        to shares: [Int64], from viewers: [PersonKey]
    ) throws -> [PersonKey: [Int64: [Int64: Int]]] {
        var hidden: [PersonKey: [Int64: [Int64: Int]]] = [:]
        // People may have blocked each other.
        try transaction.forEachRow(
            """
            SELECT blocks.blocker AS viewer, share_reactions.share AS share, share_reactions.person AS person,
                share_reactions.reaction AS reaction, share_reactions.thanked AS thanked
            FROM blocks CROSS JOIN share_reactions
            WHERE blocks.blocker IN (\(list: viewers)) AND share_reactions.share IN (\(list: shares))
                AND share_reactions.person = blocks.blocked
            UNION
            SELECT blocks.blocked AS viewer, share_reactions.share AS share, share_reactions.person AS person,
                share_reactions.reaction AS reaction, share_reactions.thanked AS thanked
            FROM blocks CROSS JOIN share_reactions
            WHERE blocks.blocked IN (\(list: viewers)) AND share_reactions.share IN (\(list: shares))
                AND share_reactions.person = blocks.blocker
            """
        ) { row in
            let (viewer, share): (PersonKey, Int64) = (try row["viewer"], try row["share"])
            var own = hidden[viewer, default: [:]][share] ?? [:]
            if let reaction: Int64 = try row["reaction"] { own[reaction, default: 0] += 1 }
            if try row["thanked"] { own[ShareReactions.thanksNumber, default: 0] += 1 }
            hidden[viewer, default: [:]][share] = own
            return .continue
        }
        return hidden
    }
}
