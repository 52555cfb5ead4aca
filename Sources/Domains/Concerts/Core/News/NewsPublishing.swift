import Model
import Storage
import Timeline

/// Publishes what an answer says about shows, in the transaction that stores it.
///
/// 1. What happened to events that were known is shown in every topic that knows them, in place of what the topic has
///    shown of the event.
/// 2. Shows that a topic of the answer's subject did not know are announced in it, unless it knew nothing: then they are
///    what is coming, and nothing new.
/// 3. Whoever waits for the topic gets its coming shows.
struct NewsPublishing {
    /// How many people get the coming shows in the transaction of the answer.
    private static let peopleAtOnce = 100

    let transaction: WriteTransaction
    let now: Timestamp

    /// - Parameters:
    ///   - shows: finds the shows of the answer.
    ///   - proves: whether the answer can say that an event is new. A search by name with more results than were
    ///     requested cannot.
    ///   - isComplete: whether the answer has all shows of the subject, up to `horizon`.
    ///   - horizon: the day up to which it reaches, in days since 1970; `nil` when it is not limited.
    ///   - news: what happened to events that were stored before.
    func publish(
        _ shows: () -> [AnsweredShow], ofSubject key: String, proves: (ConcertEvent) -> Bool, isComplete: Bool,
        horizon: Int?, news: [ShowNews]
    ) throws {
        for new in news { try transaction.concerts.show(new) }
        let topics = try transaction.concerts.topics(ofSubject: key)
        guard !topics.isEmpty else { return }
        let shows = shows()
        for record in topics {
            try publish(shows, in: record, proves: proves)
            guard isComplete else { continue }
            try transaction.concerts.setKnown(record, horizon: horizon, now: now)
            try transaction.concerts.giveComingShows(of: record, limit: Self.peopleAtOnce, now: now)
        }
    }

    private func publish(
        _ shows: [AnsweredShow], in record: TopicRecord, proves: (ConcertEvent) -> Bool
    ) throws {
        let known = try transaction.concerts.knownListings(of: record.topic)
        let announces = record.isKnown(at: now)
        let city = record.topic.homeCity
        for show in shows where city?.agrees(with: show.main.venue) ?? true {
            let present = show.listings.filter { known[$0] != nil }
            // A listing that represented the show may be gone.
            let main = present.first { known[$0]?.isMain == true } ?? show.main.id
            for listing in show.listings {
                let wanted = ConcertStore<WriteTransaction>.KnownListing(
                    isMain: listing == main, day: listing == main ? show.day : nil)
                guard known[listing] != wanted else { continue }
                // Two shows turned out to be one.
                if known[listing]?.isMain == true, !wanted.isMain {
                    try transaction.concerts.hide(listing, in: record.topic, now: now)
                }
                try transaction.concerts.setListing(listing, of: record.topic, wanted, now: now)
            }
            guard announces, present.isEmpty, proves(show.main), isNew(show, to: record) else { continue }
            let news = try transaction.concerts.announcement(ofEvent: main, now: now)
            if news.reason != .cancelled { try transaction.concerts.show(news, in: record.topic) }
        }
    }

    /// Whether a show that a topic did not know is an announcement: a show that takes place, and that the answer before
    /// would have had.
    private func isNew(_ show: AnsweredShow, to record: TopicRecord) -> Bool {
        // Yesterday is not over yet in all time zones.
        let today = LocalDate(dayNumber: Int(now.microseconds / 86_400_000_000) - 1)
        guard show.main.status != .cancelled, !show.main.isPast(today) else { return false }
        guard let horizon = record.horizon else { return true }
        return show.main.localDate.map { $0.dayNumber <= horizon } ?? false
    }
}
