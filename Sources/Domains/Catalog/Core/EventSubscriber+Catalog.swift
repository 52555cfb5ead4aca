import DomainEvents
import Model
import Storage

extension [EventSubscriber] {
    /// Deletes the answers that are for one person alone when the person disconnects the service.
    package static var catalog: Self {
        [
            EventSubscriber(AccountRemoved.self) { account, transaction in
                guard MusicSource(provider: account.provider) != nil else { return }
                try transaction.catalog.deleteAnswers(ofUser: account.userID)
            }
        ]
    }
}
