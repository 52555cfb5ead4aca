import Accounts
import Concerts
import Gateway
import Model
import Storage
import Visibility

extension [FeedItemSource] {
    /// News of concerts, and the coming shows of what somebody has just ranked or set.
    static func concerts(cityNames: CityNames, pictures: PicturePaths) -> Self {
        [
            FeedItemSource(.concert) { reader, _, ids in
                try reader.concerts.latestNews(ofEvents: ids)
            } contents: { reader, viewer, numbers in
                let news = try reader.concerts.news(numbers)
                guard !news.isEmpty else { return [:] }
                let writer = try FeedShowWriter(viewer: viewer, cityNames: cityNames, pictures: pictures, in: reader)
                return news.compactMapValues { writer.content(of: $0.news, $0.event) }
            },
            FeedItemSource(.comingShows) { reader, viewer, ids in
                try reader.concerts.numbers(ofComingShows: ids, userID: viewer.userID)
            } contents: { reader, viewer, numbers in
                let found = try reader.concerts.comingShows(numbers)
                guard !found.isEmpty else { return [:] }
                let writer = try FeedShowWriter(viewer: viewer, cityNames: cityNames, pictures: pictures, in: reader)
                return try found.compactMapValues { shows in
                    // Only the person's own, and only as long as the person watches the topic.
                    guard shows.userID == viewer.userID, shows.isWatched else { return nil }
                    return try writer.content(of: shows, in: reader)
                }
            },
        ]
    }
}

/// Writes shows for the feed of one person.
private struct FeedShowWriter {
    /// How many shows an item of coming shows has; the page of the artist or of the city has the others.
    private static let shownComing = 5
    /// The longest id of an event that can be the id of an item. Ticketmaster's have 21 characters at most.
    private static let longestID = 180

    private let ranked: [FoldedName: RankedArtist]
    private let home: HomeCity?
    private let cityNames: CityNames
    private let pictures: PicturePaths

    init(viewer: Viewer, cityNames: CityNames, pictures: PicturePaths, in reader: ReadTransaction) throws {
        ranked = Dictionary(
            try reader.concerts.rankedArtists(userID: viewer.userID).map { (FoldedName($0.name), $0) },
            uniquingKeysWith: { first, _ in first })
        home = try reader.accounts.homeCity(userID: viewer.userID).flatMap { HomeCity($0, names: cityNames) }
        self.cityNames = cityNames
        self.pictures = pictures
    }

    func content(of news: ShowNews, _ event: ConcertEvent) -> FeedContent? {
        guard event.id.utf8.count <= Self.longestID else { return nil }
        let json = JSONWriter.object { json in
            write(event, to: &json)
            news.write(to: &json)
        }
        // A tour of many shows is one card, and so are the shows of a hall whose performers are not known.
        let source = event.attractions.first?.id ?? event.venue?.id ?? event.name
        return FeedContent(id: news.id, foldSource: source, json: json)
    }

    func content(of shows: ComingShows, in reader: ReadTransaction) throws -> FeedContent? {
        let today = Int(Timestamp.now().microseconds / 86_400_000_000)
        let (count, first) = try reader.concerts.comingShows(
            ofTopic: shows.topic, knownUntil: shows.at, from: today, limit: Self.shownComing)
        guard count > 0 else { return nil }
        let json = JSONWriter.object { json in
            json.member("of", shows.isOfCity ? "city" : "artist")
            json.member("name", shows.name)
            json.member("count", count)
            json.member("shows") { json in
                json.array(first) { json, event in json.object { write(event, to: &$0) } }
            }
        }
        return FeedContent(id: shows.id, foldSource: shows.id, json: json)
    }

    private func write(_ event: ConcertEvent, to json: inout JSONWriter) {
        let bill = event.attractions
        let artist = bill.compactMap { performer in ranked[FoldedName(performer.name)] }.min { $0.rank < $1.rank }
        let performer =
            artist.flatMap { artist in
                bill.first { FoldedName($0.name) == FoldedName(artist.name) }
            } ?? bill.first
        let name = artist?.name ?? performer?.name ?? event.name
        json.member("id", event.id)
        json.member("name", event.name)
        json.member("artistName", name)
        json.member("artistRank", artist?.rank)
        json.member("additionalArtists") { json in
            let others = bill.map(\.name).filter { FoldedName($0) != FoldedName(name) }
            json.array(others.prefix(10)) { $0.value($1) }
        }
        json.member("picture", pictures.path(of: performer?.imageURL ?? event.imageURL))
        json.member("venueName", event.venue?.name)
        json.member("city", event.venue?.city)
        json.member("countryCode", event.venue?.countryCode)
        json.member("localDate", event.localDate?.description)
        json.member("localTime", event.localTime?.description)
        json.member("endDate", event.endDate?.description)
        json.member("dateTBA", event.dateTBA)
        json.member("timeTBA", event.timeTBA)
        json.member("status", event.status.code)
        json.member("isOnSale", event.isOnSale(at: .now()))
        json.member("isHomeCity", event.venue.map { home?.matches($0, names: cityNames) ?? false } ?? false)
        json.member("ticketURL", event.ticketURL)
    }
}
