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
        let requests = try reader.people.requests(between: viewer, and: items.map(\.key))
        let summaries = try reader.accounts.summaries(ofUsers: items.map(\.userID))
        return items.compactMap { item in
            summaries[item.userID].map { summary in
                PersonCard(
                    summary, item.standing, follow: requests.state(toward: item.standing),
                    asksSince: requests.since(of: item.standing), since: item.since)
            }
        }
    }
}
