import DomainEvents
import Model
import Storage

extension [EventSubscriber] {
    /// Ends the blends of two people when one of them blocks the other.
    package static let curation: Self = [
        EventSubscriber(PeopleBlocked.self) { block, transaction in
            try transaction.curation.endBlends(of: block.blockerID, with: block.blockedID, now: .now())
        }
    ]
}
