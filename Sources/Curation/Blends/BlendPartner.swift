import Model
import Storage

/// Whether two people make blends of their music together, as one of them sees it: a row of `blend_partners`.
///
/// Each of the two has a row of their own, so that either can end it, and neither learns what the other has decided
/// against them.
package struct BlendPartner: Sendable, Hashable {
    package enum State: String, Sendable {
        /// The person has asked the partner, who has not agreed.
        case asking
        /// The partner has asked the person.
        case asked
        /// Both have agreed.
        case accepted
        /// The person does not want to be asked by the partner any more, who does not learn that.
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

    /// Stands for a name that nobody has. What is asked of it is kept like any other request, which nobody answers: so
    /// an answer shows nobody whether a person is here who hides their profile.
    package static func unknownID(_ username: String) -> String { unknownPrefix + username }

    /// The name of a partner whom nobody is.
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

/// What a person answers to one who asks for blends.
package enum BlendAnswer: String, Sendable, CaseIterable {
    case accept, decline, block
}
