import DomainEvents
import Model
import Storage

extension [EventSubscriber] {
    /// Watches shows for people who open their feed, and around the home city that they set. Looks up again what failed
    /// for somebody who enters a key.
    package static func concerts(_ watching: ConcertWatching) -> Self {
        [
            EventSubscriber(FeedOpened.self) { person, transaction, _ in
                try watching.open(userID: person.userID, isFirst: person.isFirst, in: transaction)
            },
            EventSubscriber(AccountConnected.self) { account, transaction, _ in
                guard account.provider == .ticketmaster else { return }
                try transaction.concerts.retryRefreshes(userID: account.userID, now: .now())
            },
            EventSubscriber(HomeCityChanged.self) { person, transaction in
                try watching.cityChanged(userID: person.userID, in: transaction)
            },
        ]
    }
}
