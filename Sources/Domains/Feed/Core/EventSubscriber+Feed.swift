import DomainEvents
import Storage
import Timeline
import Visibility

extension [EventSubscriber] {
    /// Keeps who reads which topics, in the transaction of what changes it, so that it acts on all pages at once; and
    /// has the followers of somebody whose profile opens read their feeds again.
    package static let feed: Self = [
        EventSubscriber(RankedArtistsChanged.self) { person, transaction in
            try transaction.timeline.setTopics(
                person.artistKeys.flatMap { [TimelineTopic.artist(key: $0), .releases(ofArtist: $0)] },
                of: person.userID, because: .rankedArtist)
        },
        EventSubscriber(TopArtistsChanged.self) { person, transaction in
            try transaction.timeline.setTopics(
                person.artistKeys.map { .releases(ofArtist: $0) }, of: person.userID, because: .topArtist)
        },
        EventSubscriber(ConcertCityChanged.self) { person, transaction in
            try transaction.timeline.setTopics(
                person.cityKey.map { [TimelineTopic.city(key: $0)] } ?? [], of: person.userID, because: .homeCity)
        },
        EventSubscriber(ProfileOpened.self) { profile, transaction in
            guard let person = try transaction.visibility.key(ofUser: profile.userID) else { return }
            try transaction.timeline.recordOpening(of: person)
        },
    ]
}
