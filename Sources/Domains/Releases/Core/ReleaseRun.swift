import Contracts
import Model
import Storage

/// The job `releases.read`: reads the lists of a person's artists, one artist after the other, at the services that can
/// be asked for the person.
///
/// Artists are shared: one that was read today, for whomever, is not read again, and none is read by two jobs at once.
package struct ReleaseRun: Sendable {
    /// The artists of a person, best first; `nil` for somebody who has not opened Backline for long.
    package typealias Wanted =
        @Sendable (_ reader: ReadTransaction, _ userID: String, _ now: Timestamp) throws ->
        [WantedArtist]?
    /// Writes rows, and returns the state as it is after them.
    package typealias Rows = @Sendable (WriteTransaction) throws -> ReleaseRunState

    /// The outcome of a job.
    package struct Outcome: Sendable {
        package let result: ReleasesReadResult
        /// Stores the end, in the transaction that ends the job.
        package let write: @Sendable (WriteTransaction) throws -> Void
    }

    private let userID: String
    private let job: String
    private let database: Database
    private let catalogs: [ReleaseCatalog]
    private let key: @Sendable (_ name: String) -> String
    private let wanted: Wanted
    private let checkpoint: @Sendable (@escaping Rows) async throws -> ReleaseRunState
    private let report: @Sendable (JobProgress) -> Void
    private let now: @Sendable () -> Timestamp

    /// After so many failures that concern only one artist each, the service is not asked any more.
    private static let mostFailures = 3
    /// When what failed for now is tried again, if the service names no time.
    private static let pause = Duration.seconds(3_600)

    /// - Parameters:
    ///   - job: the job's id.
    ///   - catalogs: the services to ask for the person.
    ///   - key: folds names of artists.
    ///   - checkpoint: writes rows and the state after them in one transaction (`LongJobContext.checkpoint`).
    package init(
        userID: String, job: String, database: Database, catalogs: [ReleaseCatalog],
        key: @escaping @Sendable (String) -> String, wanted: @escaping Wanted,
        checkpoint: @escaping @Sendable (@escaping Rows) async throws -> ReleaseRunState,
        report: @escaping @Sendable (JobProgress) -> Void, now: @escaping @Sendable () -> Timestamp = { .now() }
    ) {
        (self.userID, self.job, self.database, self.catalogs) = (userID, job, database, catalogs)
        (self.key, self.wanted, self.checkpoint, self.report, self.now) = (key, wanted, checkpoint, report, now)
    }

    /// - Parameter state: of the last checkpoint.
    package func run(_ state: ReleaseRunState?) async throws -> Outcome {
        var state = state ?? ReleaseRunState()
        var services = Services(catalogs)
        var tried: Set<String> = []
        while true {
            let now = now()
            let open = services.open
            guard let view = try await database.read({ try look(at: $0, open, now: now) }) else {
                let userID = userID
                return Outcome(result: ReleasesReadResult(artists: state.artists, releases: state.releases)) {
                    try $0.releases.endSchedule(userID: userID)
                }
            }
            // Artists that the person ranks meanwhile join.
            guard let next = view.due.first(where: { !tried.contains($0.key) }) else {
                return end(state, view, services)
            }
            tried.insert(next.key)
            report(JobProgress(done: view.done, total: view.artists.count))
            guard try await begin(next, view, now: now) else { continue }
            try await read(next, &services, &state)
            try await database.write { [job] in try $0.releases.endClaim(of: next.key, job: job) }
        }
    }

    /// - Returns: whether no other job reads the artist.
    private func begin(_ artist: WantedArtist, _ view: View, now: Timestamp) async throws -> Bool {
        try await database.write { [userID, job] transaction in
            try transaction.releases.storeProgress(view.done, of: view.artists.count, userID: userID, now: now)
            try transaction.releases.markWanted(view.artists, now: now)
            try transaction.releases.note(view.artists, namedBy: userID)
            return try transaction.releases.claim(artist, job: job, now: now)
        }
    }

    // MARK: One artist

    private func read(
        _ artist: WantedArtist, _ services: inout Services, _ state: inout ReleaseRunState
    ) async throws {
        for catalog in services.open {
            let now = now()
            let known = try await database.read { try $0.releases.known(ofArtist: artist.key, at: catalog.source) }
            let isDue =
                known.reading?.isDue(
                    country: catalog.country, artistID: artist.ids[catalog.source], now: now) ?? true
            guard isDue else { continue }
            let answer: ReleaseAnswer
            do {
                answer = try await ReleaseLookup(catalog: catalog, key: key).run(artist, known: known, now: now)
            } catch let failure as ProviderFailure {
                if services.failed(failure, at: catalog.source, most: Self.mostFailures) { continue }
                try await database.write {
                    try $0.releases.storeFailure(ofArtist: artist.key, at: catalog.source, now: now)
                }
                continue
            }
            services.answered(catalog.source)
            let clock = self.now
            for part in answer.parts {
                let before = state
                state = try await checkpoint { [job] transaction in
                    // What is stored of an artist who was deleted meanwhile would stay for good.
                    guard try transaction.releases.hasClaim(of: artist.key, job: job) else { return before }
                    let new = try transaction.releases.record(part, of: artist, now: clock())
                    var after = before
                    (after.artists, after.releases) = (before.artists + (part.isLast ? 1 : 0), before.releases + new)
                    return after
                }
            }
        }
    }

    // MARK: All artists

    private struct View: Sendable {
        var artists: [WantedArtist]
        /// Those that a service has to be asked about.
        var due: [WantedArtist]
        /// How many were ever read at a service.
        var read: Int
        var asked: Int64

        var done: Int { artists.count - due.count }
    }

    private func look(
        at reader: ReadTransaction, _ catalogs: [ReleaseCatalog], now: Timestamp
    ) throws -> View? {
        guard let artists = try wanted(reader, userID, now) else { return nil }
        let readings = try reader.releases.readings(ofArtists: artists.map(\.key))
        let due = artists.filter { artist in
            catalogs.contains { catalog in
                readings[artist.key]?[catalog.source]?.isDue(
                    country: catalog.country, artistID: artist.ids[catalog.source], now: now) ?? true
            }
        }
        return View(
            artists: artists, due: due, read: artists.filter { readings[$0.key] != nil }.count,
            asked: try reader.releases.refresh(ofUser: userID)?.asked ?? 0)
    }

    private func end(_ state: ReleaseRunState, _ view: View, _ services: Services) -> Outcome {
        let (troubles, userID, clock) = (services.troubles, userID, now)
        let hasFailed = services.open.isEmpty && !view.artists.isEmpty
        let result = ReleasesReadResult(
            artists: state.artists, releases: state.releases,
            failures: Dictionary(troubles.map { ($0.source.rawValue, $0.code) }) { first, _ in first })
        return Outcome(result: result) { transaction in
            let now = clock()
            let again = troubles.filter(\.isTemporary)
                .map { max($0.until ?? now, now.advanced(by: Self.pause)) }.min()
            try transaction.releases.endRefresh(
                hasFailed ? .failed : .done, done: hasFailed ? view.read : view.artists.count, of: view.artists.count,
                troubles: troubles, asked: view.asked, again: again, userID: userID, now: now)
            try transaction.releases.note(view.artists, namedBy: userID)
        }
    }
}

extension ReleaseRun {
    /// The services that a run asks.
    private struct Services: Sendable {
        /// Those that can still be asked.
        private(set) var open: [ReleaseCatalog]
        private(set) var troubles: [ReleaseTrouble] = []
        /// Failures of each service since it last answered.
        private var failures: [MusicSource: Int] = [:]

        init(_ catalogs: [ReleaseCatalog]) {
            open = catalogs
        }

        mutating func answered(_ source: MusicSource) {
            failures[source] = nil
        }

        /// - Returns: whether the service is not asked any more; otherwise the failure concerns one artist.
        mutating func failed(_ failure: ProviderFailure, at source: MusicSource, most: Int) -> Bool {
            failures[source, default: 0] += 1
            let concernsArtist = failure.kind == .requestRefused || failure.kind == .unreadable
            guard !concernsArtist || failures[source, default: 0] >= most else { return false }
            open.removeAll { $0.source == source }
            troubles.append(ReleaseTrouble(failure, at: source))
            return true
        }
    }
}
