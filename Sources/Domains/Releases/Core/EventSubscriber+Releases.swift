import DomainEvents
import Model
import Storage

extension [EventSubscriber] {
    /// Has the artists of a person read when the person connects a service, ranks an artist or opens the feed for the
    /// first time, and daily from then on.
    ///
    /// - Parameter isOn: whether artists are read at all.
    package static func releases(isOn: Bool) -> Self {
        guard isOn else { return [] }
        return [
            EventSubscriber(AccountConnected.self) { account, transaction, _ in
                guard MusicSource(provider: account.provider) != nil else { return }
                try transaction.releases.beginRefresh(ofUser: account.userID, now: .now())
            },
            EventSubscriber(RankedArtistsChanged.self) { ranked, transaction in
                guard !(try transaction.releases.unread(ranked.artistKeys)).isEmpty else { return }
                try transaction.releases.beginRefresh(ofUser: ranked.userID, now: .now())
            },
            EventSubscriber(FeedOpened.self) { opened, transaction, _ in
                let now = Timestamp.now()
                if opened.isFirst {
                    try transaction.releases.beginRefresh(ofUser: opened.userID, now: now)
                } else {
                    try transaction.releases.schedule(userID: opened.userID, now: now)
                }
            },
        ]
    }
}
