import Accounts
import Curation
import Storage
import Visibility

extension SQLReader {
    /// The usernames of those of the people of whom a person may see a facet at this moment, by the people's ids.
    func usernames(
        of ids: some Sequence<String>, showing facet: Facet, to userID: String
    ) throws -> [String: String] {
        let ids = Set(ids)
        guard !ids.isEmpty, let viewer = try visibility.viewer(userID: userID) else { return [:] }
        return try accounts.names(ofUsers: visibility.visible(facet, among: ids, as: viewer))
    }
}

/// The usernames of the other people of a person's blends.
struct PartnerNames: Sendable {
    private let names: [String: String]

    init(of lists: [CuratedList], userID: String, in reader: some SQLReader) throws {
        names = try reader.usernames(of: lists.compactMap(\.partnerID), showing: .existence, to: userID)
    }

    /// The other person's name; before they agreed, the one that the person asked for. `nil` for other lists than
    /// blends, and for somebody whom the person may not see.
    subscript(list: CuratedList) -> String? {
        list.partnerID.flatMap { names[$0] } ?? list.request.with
    }
}
