import DomainEvents
import Storage

extension [EventSubscriber] {
    /// Deletes a person's notes about a service when they disconnect it.
    package static let notes: Self = [
        EventSubscriber(AccountRemoved.self) { account, transaction in
            try transaction.notes.remove(about: account.provider, userID: account.userID)
        }
    ]
}
