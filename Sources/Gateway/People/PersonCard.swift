import Accounts
import Model
import Visibility

/// A person as all lists and events show them to a viewer.
package struct PersonCard: Sendable {
    package let person: PersonSummary
    private let standing: Standing
    private let follow: FollowState
    private let asksSince: Timestamp?
    private let since: Timestamp?

    /// - Parameters:
    ///   - follow: with the viewer's request, if there is one.
    ///   - asksSince: since when the person asks to follow the viewer; `nil` for one who does not.
    ///   - since: since when the person is in the list; `nil` in a list without times.
    package init(
        _ person: PersonSummary, _ standing: Standing, follow: FollowState, asksSince: Timestamp?,
        since: Timestamp? = nil
    ) {
        (self.person, self.standing, self.follow) = (person, standing, follow)
        (self.asksSince, self.since) = (asksSince, since)
    }

    package func writeMembers(to json: inout JSONWriter, _ pictures: PicturePaths) {
        json.member("id", person.userID)
        json.member("username", person.username)
        json.member("displayName", person.displayName)
        json.member("picture", pictures.path(of: person.picture))
        json.member("profileVisibility", standing.visibility?.rawValue)
        json.member("follow", follow.rawValue)
        json.member("followsMe", standing.followsViewer)
        json.member("asksSince", asksSince)
        if let since { json.member("since", since) }
    }
}
