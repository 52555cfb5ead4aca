import Jobs
import Storage

/// The artists whom a person ranks have changed. Concerts publishes it.
package struct RankedArtistsChanged: DomainEvent {
    package let userID: String
    /// The folded names of all artists whom the person ranks now.
    package let artistKeys: [String]

    package init(userID: String, artistKeys: [String]) {
        (self.userID, self.artistKeys) = (userID, artistKeys)
    }
}

/// The artists to whom a person listens most have changed. People publishes it.
package struct TopArtistsChanged: DomainEvent {
    package let userID: String
    /// The folded names of all of these artists.
    package let artistKeys: [String]

    package init(userID: String, artistKeys: [String]) {
        (self.userID, self.artistKeys) = (userID, artistKeys)
    }
}

/// The place around which Backline looks for concerts for a person has changed. Concerts publishes it.
package struct ConcertCityChanged: DomainEvent {
    package let userID: String
    /// The place, the same for everybody who lives there; `nil` for somebody without a home city.
    package let cityKey: String?

    package init(userID: String, cityKey: String?) {
        (self.userID, self.cityKey) = (userID, cityKey)
    }
}

/// A person opened the feed. Feed publishes it in the gateway, once for the first time and then at most once a day.
///
/// Subscribers may submit jobs, which are handed out once the transaction is durable.
package struct FeedOpened: DomainEvent {
    package typealias Context = JobSubmissions

    package let userID: String
    /// Whether it is the first time.
    package let isFirst: Bool

    package init(userID: String, isFirst: Bool) {
        (self.userID, self.isFirst) = (userID, isFirst)
    }
}
