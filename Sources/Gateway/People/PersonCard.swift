import Accounts
import Model
import Visibility

/// A person as all lists and events show them to a viewer.
package struct PersonCard: Sendable {
    package let person: PersonSummary
    package let follow: FollowState
    package let followsMe: Bool
    /// Since when the person is in the list; `nil` in a list without times.
    package let since: Timestamp?

    package init(_ person: PersonSummary, follow: FollowState, followsMe: Bool, since: Timestamp? = nil) {
        (self.person, self.follow, self.followsMe, self.since) = (person, follow, followsMe, since)
    }

    package func writeMembers(to json: inout JSONWriter, _ pictures: PicturePaths) {
        json.member("id", person.userID)
        json.member("username", person.username)
        json.member("displayName", person.displayName)
        json.member("picture", pictures.path(of: person.picture))
        json.member("follow", follow.rawValue)
        json.member("followsMe", followsMe)
        if let since { json.member("since", since) }
    }
}
