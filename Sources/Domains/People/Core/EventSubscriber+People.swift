import DomainEvents
import Storage
import Visibility

extension [EventSubscriber] {
    /// Deletes the requests to follow between two people when one of them blocks the other.
    package static let people: Self = [
        EventSubscriber(PeopleBlocked.self) { block, transaction in
            guard let blocker = try transaction.visibility.key(ofUser: block.blockerID),
                let blocked = try transaction.visibility.key(ofUser: block.blockedID)
            else { return }
            try transaction.people.deleteRequest(of: blocked, by: blocker)
            try transaction.people.deleteRequest(of: blocker, by: blocked)
        }
    ]
}
