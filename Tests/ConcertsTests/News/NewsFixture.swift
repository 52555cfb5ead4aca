import Accounts
import DomainEvents
import Jobs
import Model
import Storage
import TestSupport
import Testing
import Timeline

@testable import Concerts

/// People who open their feeds, and answers of lookups, which come a day after each other.
struct NewsFixture: Sendable {
    let database: Database
    /// When the first answer comes: a month ago, so that later ones are not in the future.
    let start = Timestamp.now().advanced(by: .seconds(-28 * 86_400))

    static let air = TimelineTopic.artist(key: "air")
    static let prague = TimelineTopic.city(key: "any:prague")
    static let airKey = ConcertSearches.key(ofArtist: "Air")
    static let pragueKey = ConcertSearches.key(ofCity: "prague", radius: ConcertSearches.standardRadius)

    static func run(_ body: (NewsFixture) async throws -> Void) async throws {
        try await withDatabase { database, _ in
            let watching = ConcertWatching(
                cityNames: .builtIn, homeCity: { try $0.accounts.homeCity(userID: $1) })
            database.register([EventSubscriber].concerts(watching))
            try await body(NewsFixture(database: database))
        }
    }

    // MARK: People

    /// Adds a person with ranked artists and a home city who has not opened the feed.
    func addPerson(_ name: String = "ada", ranks artists: [String] = [], city: String? = nil) async throws -> String {
        let id = try await database.addPerson(name)
        try await rank(artists, of: id)
        try await setCity(city, of: id)
        return id
    }

    func openFeed(of userID: String, isFirst: Bool = true) async throws {
        try await database.write { transaction in
            var submissions = JobSubmissions(maximumAttempts: 5, trace: nil)
            try transaction.publish(FeedOpened(userID: userID, isFirst: isFirst), with: &submissions)
        }
    }

    /// Adds a person who has opened the feed.
    func addReader(
        _ name: String = "ada", ranks artists: [String] = ["Air"], city: String? = nil
    ) async throws -> String {
        let id = try await addPerson(name, ranks: artists, city: city)
        try await openFeed(of: id)
        return id
    }

    func rank(_ names: [String], of userID: String) async throws {
        try await database.write { transaction in
            var list = try ArtistList(try transaction.concerts.rankedArtists(userID: userID))
            try list.replace(with: names.map { ArtistList.Addition(name: $0) })
            try transaction.concerts.replaceRankedArtists(list.artists, userID: userID)
            try ConcertWatching.artistsChanged(userID: userID, in: transaction)
        }
    }

    func setCity(_ city: String?, of userID: String) async throws {
        try await database.write { transaction in
            try transaction.run("UPDATE users SET home_city = \(city) WHERE id = \(userID)")
            try transaction.publish(HomeCityChanged(userID: userID))
        }
    }

    // MARK: Answers

    /// A show of Air in Prague, some days from now.
    static func show(
        _ id: String, inDays days: Int? = 60, at time: String? = "20:00", bill: [String] = ["Air"],
        venue: String = "Arena", city: String = "Prague", country: String = "CZ", state: String? = nil,
        status: ConcertStatus = .onsale, saleStartsAt: Timestamp? = nil, dateTBA: Bool = false,
        kind: ConcertKind = .show, name: String? = nil
    ) -> ConcertEvent {
        let today = Int(Timestamp.now().microseconds / 86_400_000_000)
        return ConcertEvent(
            id: id, name: name ?? "Air", kind: kind, attractions: bill.map { .init(id: "K-\($0)", name: $0) },
            venue: ConcertVenue(
                id: "V-\(venue)-\(city)", name: venue, city: city, stateCode: state, countryCode: country),
            localDate: days.flatMap { LocalDate(dayNumber: today + $0) }, localTime: time.flatMap { LocalTime($0) },
            dateTBA: dateTBA, saleStartsAt: saleStartsAt, status: status, ticketURL: "https://t/\(id)")
    }

    /// Stores an answer.
    ///
    /// - Parameter day: the days after ``start`` on which it comes.
    func answer(
        _ events: [ConcertEvent], for key: String = airKey, onDay day: Int, isCut: Bool = false,
        gap: ProviderFailure? = nil, hasFailed: Bool = false
    ) async throws {
        let now = start.advanced(by: .seconds(86_400 * day))
        try await database.write { transaction in
            let answer = ConcertAnswer(
                targetKey: key, attractionID: key == Self.airKey ? "K-Air" : nil, events: events, gap: gap,
                nameSearch: .none, isCut: isCut, hasFailed: hasFailed)
            try answer.grouped(names: .builtIn).store(jobID: "job", now: now, in: transaction)
        }
    }

    // MARK: Timelines

    /// What a topic's timeline shows, the latest first, each as its reason and its item's id.
    func shown(in topic: TimelineTopic = air) async throws -> [String] {
        try await database.read { reader in
            let numbers = try reader.rows(
                """
                SELECT number FROM timeline_items JOIN timeline_topics ON timeline_topics.key = timeline_items.author
                WHERE timeline_topics.name = \(topic.name) ORDER BY score DESC, number DESC
                """
            ).map { try $0["number"] as Int64 }
            let news = try reader.concerts.news(numbers)
            return numbers.map { number in news[number].map { "\($0.news.reason.name) \($0.news.id)" } ?? "?" }
        }
    }

    /// The ids of items that are gone from all timelines.
    func gone() async throws -> [String] {
        try await database.read { reader in
            try reader.rows("SELECT item FROM timeline_gone_items ORDER BY change").map { try $0["item"] }
        }
    }

    /// The coming shows that a person got: the name and the number of shows.
    func comingShows(of userID: String) async throws -> [String] {
        try await database.read { reader in
            let person = try #require(try reader.visibility.viewer(userID: userID))
            let numbers = try reader.rows(
                "SELECT number FROM timeline_own_items WHERE person = \(person.key) ORDER BY score DESC, number DESC"
            ).map { try $0["number"] as Int64 }
            let found = try reader.concerts.comingShows(numbers)
            return try numbers.compactMap { found[$0] }.map { shows in
                let coming = try reader.concerts.comingShows(
                    ofTopic: shows.topic, knownUntil: shows.at, from: 0, limit: 5)
                return "\(shows.name) \(coming.count)\(shows.isWatched ? "" : " not watched")"
            }
        }
    }

    /// What a person watches.
    func watched(by userID: String) async throws -> [String] {
        try await database.read { try $0.concerts.watches(userID: userID).map(\.topic) }
    }
}
