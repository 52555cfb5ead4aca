import DomainEvents
import Storage
import Visibility

extension [EventSubscriber] {
    /// Ends a person's links when their profile closes.
    package static let shares: Self = [
        EventSubscriber(ProfileClosed.self) { profile, transaction in
            guard let person = try transaction.visibility.key(ofUser: profile.userID) else { return }
            try transaction.shares.endLinks(of: person)
        }
    ]
}
