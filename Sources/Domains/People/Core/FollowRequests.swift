import Model
import Visibility

/// The requests between a viewer and some other people.
package struct FollowRequests: Sendable, Equatable {
    /// Whom the viewer asks.
    private(set) var sent: Set<PersonKey> = []
    /// Who asks the viewer, since when.
    private(set) var received: [PersonKey: Timestamp] = [:]

    /// None.
    package init() {}

    /// - Parameter rows: the keys of who asks and of who is asked, and the time.
    init(of viewer: Viewer, _ rows: [(requester: PersonKey, requested: PersonKey, at: Timestamp)]) {
        for row in rows {
            if row.requester == viewer.key {
                sent.insert(row.requested)
            } else {
                received[row.requester] = row.at
            }
        }
    }

    /// How the viewer stands to a person whom they may follow.
    package func state(toward person: Standing) -> FollowState {
        person.isFollowing ? .following : sent.contains(person.key) ? .requested : .none
    }

    /// Since when a person asks to follow the viewer; `nil` for one who does not.
    package func since(of person: Standing) -> Timestamp? { received[person.key] }
}
