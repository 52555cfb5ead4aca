import Model
import Storage
import Visibility

/// Whether two people make blends of their music, from the point of view of one of them: a row of `blend_partners`.
///
/// Each of the two has their own row, so either can end the agreement. A request that reaches nobody, or somebody whom
/// the person may not see, is a row like any other.
package struct BlendPartner: Sendable, Hashable {
    package enum State: String, Sendable {
        /// The person has asked the partner, who has not agreed yet.
        case asking
        /// The partner has asked the person.
        case asked
        /// Both have agreed.
        case accepted
    }

    /// Random. It stays the same when a request that reached nobody reaches somebody, and the other way round.
    package let id: String
    package let userID: String
    /// A person's id, or ``unknownID(_:)``.
    let partnerID: String
    /// The username that the person asked for; `nil` once the partner has asked or agreed.
    package let name: String?
    package let state: State
    package let since: Timestamp
    package let change: Int64

    static let columns: SQL = "id, user_id, partner_id, name, state, since_at, change"

    private static let unknownPrefix = "name:"

    /// The value of `partner_id` for a request that reaches nobody: nobody has the name, or whoever has it is suspended
    /// or has blocked the person.
    static func unknownID(_ username: String) -> String { unknownPrefix + username }

    /// The partner's id; `nil` for a request that reaches nobody.
    package var personID: String? { partnerID.hasPrefix(Self.unknownPrefix) ? nil : partnerID }

    /// What the person has to be able to see of the partner to be shown the partner's present username. A request is
    /// otherwise shown with the name that it asked for, and any other row is not shown at all.
    package var facet: Facet { state == .asking ? .existence : .act }

    init(row: Row) throws {
        id = try row["id"]
        userID = try row["user_id"]
        partnerID = try row["partner_id"]
        name = try row["name"]
        state = try row.word("state")
        since = try row["since_at"]
        change = try row["change"]
    }
}

/// A username that somebody names in a request about blends, and who has it.
package struct BlendSubject: Sendable, Hashable {
    package let name: String
    /// `nil` if nobody has exactly this name.
    package let personID: String?

    package init(name: String, personID: String?) { (self.name, self.personID) = (name, personID) }
}

/// A person's answer to somebody who asks for blends.
package enum BlendAnswer: String, Sendable, CaseIterable {
    case accept, decline, block
}

extension ActLimit {
    /// How many people somebody may ask for blends in a day, which limits guessing names. Withdrawing a request gives
    /// nothing back, and asking the same person again costs nothing.
    package static let blendRequests = ActLimit(
        "blendRequestsPerDay", count: 20, per: .seconds(86_400), act: "ask", counted: "people for blends",
        again: "ask more people")
}
