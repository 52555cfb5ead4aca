import Accounts
import Gateway
import People
import Storage
import Visibility

extension PersonCard {
    /// The cards of people. Whoever is being erased at this moment is left out.
    static func cards(
        of items: [PeopleListItem], for viewer: Viewer, in reader: some SQLReader
    ) throws -> [PersonCard] {
        let asked = try reader.people.requested(by: viewer, among: items.filter { !$0.isFollowing }.map(\.key))
        let summaries = try reader.accounts.summaries(ofUsers: items.map(\.userID))
        return items.compactMap { item in
            summaries[item.userID].map { summary in
                PersonCard(
                    summary, follow: FollowState(item.isFollowing, isRequested: asked.contains(item.key)),
                    followsMe: item.followsViewer, since: item.since)
            }
        }
    }
}
