import DomainEvents
import Model
import Storage
import Visibility

extension [EventSubscriber] {
    /// Closes the thread of two people when one blocks the other, and brings it back when the block ends.
    package static let messages: Self = [
        EventSubscriber(PeopleBlocked.self) { block, transaction in
            guard let blocker = try transaction.visibility.key(ofUser: block.blockerID),
                let blocked = try transaction.visibility.key(ofUser: block.blockedID)
            else { return }
            try transaction.messages.separate(blocker, blocked, now: .now())
        },
        EventSubscriber(PeopleUnblocked.self) { block, transaction in
            guard let blocker = try transaction.visibility.key(ofUser: block.blockerID),
                let blocked = try transaction.visibility.key(ofUser: block.blockedID)
            else { return }
            try transaction.messages.reset(threadOf: blocker, blocked)
        },
    ]
}
