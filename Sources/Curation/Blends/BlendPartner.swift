import Model
import Storage

/// Whether two people make blends of their music, from the point of view of one of them: a row of `blend_partners`.
///
/// Each of the two has their own row, so either can end the agreement, and neither learns what the other has decided
/// against them.
package struct BlendPartner: Sendable, Hashable {
    package enum State: String, Sendable {
        /// The person has asked the partner, who has not agreed yet.
        case asking
        /// The partner has asked the person.
        case asked
        /// Both have agreed.
        case accepted
        /// The person no longer wants to be asked by the partner, who does not learn about it.
        case blocked
    }

    package let userID: String
    /// A person's id, or ``unknownID(_:)``.
    package let partnerID: String
    package let state: State
    package let since: Timestamp
    package let change: Int64

    static let columns: SQL = "user_id, partner_id, state, since_at, change"

    private static let unknownPrefix = "name:"

    /// The id that stands for a name that nobody has. A request to such a name is stored like any other, but nobody
    /// answers it, so a response never reveals whether a person with a hidden profile exists here.
    package static func unknownID(_ username: String) -> String { unknownPrefix + username }

    /// The partner's name, if nobody has that name.
    package var unknownName: String? {
        partnerID.hasPrefix(Self.unknownPrefix) ? String(partnerID.dropFirst(Self.unknownPrefix.count)) : nil
    }

    init(row: Row) throws {
        userID = try row["user_id"]
        partnerID = try row["partner_id"]
        state = try row.word("state")
        since = try row["since_at"]
        change = try row["change"]
    }
}

/// A person's answer to somebody who asks for blends.
package enum BlendAnswer: String, Sendable, CaseIterable {
    case accept, decline, block
}
