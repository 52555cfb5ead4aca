import DomainEvents
import Model
import Storage

extension [EventSubscriber] {
    /// Records what people are notified of, in the transaction in which it happens, and ends it when a block ends it.
    package static func notifications(_ kinds: NotificationKinds, accounts: NotifiedAccounts) -> Self {
        [
            EventSubscriber(PersonNotified.self) { event, transaction in
                try transaction.notifications.record(event, kinds: kinds, accounts: accounts, now: .now())
            },
            EventSubscriber(NotificationWithdrawn.self) { withdrawal, transaction in
                try transaction.notifications.withdraw(withdrawal)
            },
            EventSubscriber(NotificationSubjectWithdrawn.self) { withdrawal, transaction in
                try transaction.notifications.withdraw(withdrawal)
            },
            EventSubscriber(TopicNews.self) { news, transaction in
                guard kinds[news.kind] != nil else { return }
                try transaction.notifications.store(news)
            },
            EventSubscriber(PeopleBlocked.self) { block, transaction in
                try transaction.notifications.separate(block.blockerID, block.blockedID)
            },
            EventSubscriber(TimeZoneChanged.self) { change, transaction in
                guard let person = try transaction.visibility.key(ofUser: change.userID) else { return }
                try transaction.notifications.reconsiderQuietHours(of: person)
            },
        ]
    }
}
