import Contracts
import Model
import Storage

/// Looks up again what people watch: ranked artists, and the areas around home cities. A subject is looked up once for
/// everybody who watches it.
///
/// What somebody has just begun to watch is looked up at once, for that person. The rest is looked up daily, for nobody
/// in particular, as long as one of those who watch it has been seen lately, or a program has read their calendar.
package struct ConcertRefreshes: Sendable {
    /// How long people are refreshed who do not open Backline, and whose calendars nothing reads.
    package static let attention = Duration.seconds(30 * 86_400)

    /// The most subjects in one transaction.
    private static let batch = 100
    /// The most artists in one lookup, which one call answers.
    private static let artistsAtOnce = 50
    /// The priority of daily lookups.
    package static let priority = -10

    private let callsPerDay: Int
    private let freshness: Duration

    /// - Parameters:
    ///   - callsPerDay: the most calls that daily lookups may be expected to cost on a day (UTC).
    ///   - freshness: how long an answer counts as fresh.
    package init(callsPerDay: Int, freshness: Duration) {
        self.callsPerDay = callsPerDay
        self.freshness = freshness
    }

    /// A lookup to submit in the same transaction, whose id is already stored.
    package struct Lookup: Sendable {
        package let job: ConcertSearches.Lookup
        /// Whether somebody has just begun to watch it.
        package let isFirst: Bool
    }

    /// Subjects that are due, and which of them somebody watches who has been seen lately. It is read before the
    /// transaction that writes, since it reads all watchers of a subject if none of them has been seen.
    package struct DueSubjects: Sendable {
        fileprivate let keys: Set<String>
        fileprivate let active: Set<String>

        /// Whether more subjects may be due.
        package var hasMore: Bool { keys.count == ConcertRefreshes.batch }
    }

    /// - Parameter people: those who have been seen within ``attention``.
    /// - Returns: `nil` if nothing is due.
    package static func dueSubjects(
        among people: PeopleCondition, now: Timestamp, in reader: some SQLReader
    ) throws -> DueSubjects? {
        let due = try reader.concerts.dueRefreshes(now: now, limit: batch).map(\.subjectKey)
        let readers = ConcertStore<ReadTransaction>.peopleWithCalendarsRead(since: now.advanced(by: .zero - attention))
        let active = try due.filter {
            try reader.concerts.isWatched(subjectKey: $0, by: people)
                || reader.concerts.isWatched(subjectKey: $0, by: readers)
        }
        return due.isEmpty ? nil : DueSubjects(keys: Set(due), active: Set(active))
    }

    /// The lookups of due subjects, and their next times.
    package func lookups(
        of subjects: DueSubjects, now: Timestamp, in transaction: WriteTransaction
    ) throws -> [Lookup] {
        let due = try transaction.concerts.dueRefreshes(now: now, limit: Self.batch)
            .filter { subjects.keys.contains($0.subjectKey) }
        let day = Int(now.microseconds / 86_400_000_000)
        var calls = try transaction.concerts.refreshCalls(onDay: day)
        let callsBefore = calls
        var lookups: [Lookup] = []
        // Artists with known attractions share lookups.
        var known: [NameSearches.Target] = []
        for (key, name) in due {
            guard try transaction.concerts.isWatched(subjectKey: key) else {
                try transaction.concerts.removeRefresh(of: key)
                try transaction.concerts.removeTopics(ofSubject: key)
                continue
            }
            let target = try transaction.concerts.target(key: key)
            let waiting = try transaction.concerts.firstOwed(ofSubject: key)
            let isAwaited = try waiting != nil && !transaction.concerts.hasFailedRefresh(of: key)
            let isActive = isAwaited || subjects.active.contains(key)
            // A lookup that is under way, or a search that has just asked, refreshes the subject as well.
            guard isActive, target?.jobID == nil, isAwaited || !isFresh(target, now: now) else {
                try transaction.concerts.postponeRefresh(of: key, until: RefreshTimes.next(after: now))
                continue
            }
            guard isAwaited || calls < callsPerDay else {
                try transaction.concerts.postponeRefresh(of: key, until: Self.tomorrow(after: day))
                continue
            }
            try transaction.concerts.postponeRefresh(of: key, until: RefreshTimes.next(after: now))
            if let area = NearbyLookupPayload(key: key, city: name) {
                if !isAwaited { calls += 3 }
                lookups.append(
                    try lookup(.nearby(area), of: [key], for: isAwaited ? waiting : nil, now: now, in: transaction))
                continue
            }
            var artist = ConcertLookupPayload.Artist(
                key: key, name: name, attractionID: target?.attractionID,
                spotifyID: ConcertSearches.spotifyID(inKey: key))
            if artist.attractionID != nil, !isAwaited {
                if known.count.isMultiple(of: Self.artistsAtOnce) { calls += 1 }
                known.append(
                    .init(
                        target: SearchTargetRecord(rank: 1, artistID: key, name: name, targetKey: key), artist: artist,
                        searchedAt: target?.nameSearchedAt))
                continue
            }
            if !isAwaited { calls += 2 }
            // Shows that only the name finds are part of what is coming. Later they would look new.
            if artist.attractionID != nil { artist.searchesName = true }
            lookups.append(
                try lookup(
                    .artists(.init(artists: [artist])), of: [key], for: isAwaited ? waiting : nil, now: now,
                    in: transaction))
        }
        var rest = known[...]
        while !rest.isEmpty {
            var part = Array(rest.prefix(Self.artistsAtOnce))
            rest = rest.dropFirst(part.count)
            NameSearches.mark(&part, now: now)
            calls += part.count { $0.artist.searchesName == true }
            lookups.append(
                try lookup(
                    .artists(.init(artists: part.map(\.artist))), of: part.map(\.artist.key), for: nil, now: now,
                    in: transaction))
        }
        if calls > callsBefore { try transaction.concerts.addRefreshCalls(calls - callsBefore, onDay: day) }
        return lookups
    }

    private func lookup(
        _ payload: ConcertSearches.Lookup.Payload, of keys: [String], for userID: String?, now: Timestamp,
        in transaction: WriteTransaction
    ) throws -> Lookup {
        let job = ConcertSearches.Lookup(payload: payload, userID: userID ?? SystemUser.id)
        for key in keys {
            try transaction.concerts.setLookup(targetKey: key, jobID: job.jobID, now: now)
            try transaction.concerts.recordRefreshChange(ofSubject: key)
        }
        return Lookup(job: job, isFirst: userID != nil)
    }

    private func isFresh(_ target: LookupTargetRecord?, now: Timestamp) -> Bool {
        target?.checkedAt.map { (.zero..<freshness).contains($0.duration(to: now)) } ?? false
    }

    /// A random moment of the day (UTC) after a day.
    private static func tomorrow(after day: Int) -> Timestamp {
        RefreshTimes.first(after: Timestamp(microseconds: Int64(day + 1) * 86_400_000_000))
    }

    /// Gives coming shows to people who waited for a topic with many others.
    ///
    /// - Returns: whether there may be more.
    package static func giveOwed(in transaction: WriteTransaction) throws -> Bool {
        let owed = try transaction.concerts.owedWatches(limit: batch)
        for watch in owed {
            try transaction.concerts.giveComingShows(of: watch.topic, to: watch.userID, now: .now())
        }
        return owed.count == batch
    }
}

extension ConcertRefreshes {
    /// How long the end of a first lookup is shown.
    private static let shownAfterEnd = Duration.seconds(86_400)

    /// How far the first lookups are of what a person watches, and why the latest ones have no answer. Parts that ended
    /// more than a day ago are left out.
    package static func progress(
        userID: String, now: Timestamp, in reader: some SQLReader
    ) throws -> (parts: [(part: WatchedTopic.Part, progress: RefreshProgress)], failures: Set<ConcertWarningCode>) {
        let progress = try reader.concerts.refreshProgress(userID: userID)
        let parts = WatchedTopic.Part.allCases.compactMap { part in
            progress[part].map { (part: part, progress: $0) }
        }.filter { entry in
            guard entry.progress.state == .done, let endedAt = entry.progress.endedAt else { return true }
            return (.zero..<Self.shownAfterEnd).contains(endedAt.duration(to: now))
        }
        return (parts, progress.values.reduce(into: []) { $0.formUnion($1.failures) })
    }
}
