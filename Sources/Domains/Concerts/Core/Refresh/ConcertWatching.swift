import DomainEvents
import Model
import Storage
import Timeline

/// Keeps what a person watches in line with the ranked artists and the home city, in the transactions that change them.
///
/// Only people who have opened their feed or switched their calendar on watch anything: for others nothing is looked up
/// before they ask.
package struct ConcertWatching: Sendable {
    /// Reads the home city of a person's profile, which is free text.
    package typealias HomeCityOf = @Sendable (_ transaction: WriteTransaction, _ userID: String) throws -> String?

    private let cityNames: CityNames
    private let homeCity: HomeCityOf

    package init(cityNames: CityNames, homeCity: @escaping HomeCityOf) {
        self.cityNames = cityNames
        self.homeCity = homeCity
    }

    /// A person opened their feed, or switched their calendar on. The first time, they begin to watch, and other domains
    /// learn what. Later, what was not looked up while nobody opened Backline is looked up at once.
    ///
    /// - Parameter isFirst: whether other domains have to learn what they watch even if they watch already.
    package func open(userID: String, isFirst: Bool, in transaction: WriteTransaction) throws {
        guard try isFirst || !transaction.concerts.isReader(userID: userID) else {
            return try transaction.concerts.hastenRefreshes(userID: userID, now: .now())
        }
        try transaction.concerts.insertReader(userID: userID, now: .now())
        try Self.artistsChanged(userID: userID, in: transaction)
        try cityChanged(userID: userID, in: transaction)
    }

    /// A person's list has changed. Publishes `RankedArtistsChanged`.
    package static func artistsChanged(userID: String, in transaction: WriteTransaction) throws {
        let watched = try transaction.concerts.rankedArtists(userID: userID).map { WatchedTopic($0) }
        try transaction.publish(RankedArtistsChanged(userID: userID, artistKeys: watched.map(\.topicKey)))
        try watch(watched, .artists, userID: userID, in: transaction)
    }

    /// A person's home city has changed. Publishes `ConcertCityChanged`.
    func cityChanged(userID: String, in transaction: WriteTransaction) throws {
        let city = try homeCity(transaction, userID).flatMap { WatchedTopic(homeCity: $0, names: cityNames) }
        try transaction.publish(ConcertCityChanged(userID: userID, cityKey: city?.topicKey))
        try Self.watch(city.map { [$0] } ?? [], .nearby, userID: userID, in: transaction)
    }

    private static func watch(
        _ wanted: [WatchedTopic], _ part: WatchedTopic.Part, userID: String, in transaction: WriteTransaction
    ) throws {
        guard try transaction.concerts.isReader(userID: userID) else { return }
        let now = Timestamp.now()
        let present = try transaction.concerts.watches(userID: userID).filter { $0.part == part }
        let topics = Set(wanted.map(\.topic.name))
        for watch in present where !topics.contains(watch.topic) {
            try transaction.concerts.deleteWatch(watch.topic, userID: userID, now: now)
        }
        var hasChanged = present.contains { !topics.contains($0.topic) }
        for watch in wanted
        where !present.contains(where: { $0.topic == watch.topic.name && $0.subjectKey == watch.subjectKey }) {
            try begin(watch, userID: userID, now: now, in: transaction)
            hasChanged = true
        }
        if hasChanged { transaction.recordChange(of: [userID], topic: .feedRefresh) }
    }

    /// A person begins to watch a topic. If nobody knows its shows, they are looked up at once.
    private static func begin(
        _ watch: WatchedTopic, userID: String, now: Timestamp, in transaction: WriteTransaction
    ) throws {
        try transaction.concerts.insertWatch(watch, userID: userID, now: now)
        try transaction.concerts.addTopic(watch.topic, ofSubject: watch.subjectKey)
        let isKnown =
            try transaction.concerts.topic(watch.topic, ofSubject: watch.subjectKey)?.isKnown(at: now) ?? false
        try transaction.concerts.setRefresh(
            subjectKey: watch.subjectKey, name: watch.question, isNow: !isKnown, later: RefreshTimes.first(after: now),
            now: now)
        if isKnown { try transaction.concerts.giveComingShows(of: watch.topic, to: userID, now: now) }
    }
}

/// When subjects are looked up again: daily, spread over the day.
enum RefreshTimes {
    static let interval = Duration.seconds(86_400)

    /// A random moment within a day.
    static func first(after now: Timestamp) -> Timestamp {
        now.advanced(by: .microseconds(Int64.random(in: 0..<interval.microseconds)))
    }

    /// A day later, give or take a tenth of it, so that what was begun together does not stay together.
    static func next(after now: Timestamp) -> Timestamp {
        let tenth = interval.microseconds / 10
        return now.advanced(by: interval + .microseconds(Int64.random(in: -tenth...tenth)))
    }
}
