import Contracts
import Model
import Storage

/// People's searches for concerts: beginning, cancelling and repeating them.
///
/// A search waits for lookups, which are shared: an artist is looked up once for everybody who
/// asks meanwhile, and not at all while the last answer is fresh. All functions run within the
/// transaction that inserts what they decide on, so that two people asking at once cause one lookup.
package struct ConcertSearches: Sendable {
    /// What a search submits when nobody looks an artist or area up already.
    package enum Lookup: Sendable {
        case artists(ConcertLookupPayload)
        case nearby(NearbyLookupPayload)
    }

    /// Inserts the job of a lookup and returns its id.
    package typealias Submit = (Lookup) throws -> String

    package static let artistsKind = "artists"
    package static let nearbyKind = "nearby"
    /// Kilometres.
    package static let radiusRange = 1...500
    package static let standardRadius = 50

    private let freshness: Duration
    private let maximumRunning: Int?

    /// - Parameters:
    ///   - freshness: how long an answer is served without asking again.
    ///   - maximumRunning: the most searches of one person that wait for an answer at once; `nil` sets no limit.
    package init(freshness: Duration, maximumRunning: Int? = nil) {
        self.freshness = freshness
        self.maximumRunning = maximumRunning
    }

    // MARK: Beginning

    /// Begins a search for the artists' concerts; returns its id.
    ///
    /// - Throws: `QuotaReached`.
    package func begin(
        _ artists: [RankedArtist], homeCity: String?, userID: String, in transaction: WriteTransaction, submit: Submit
    ) throws -> String {
        let search = ConcertSearchRecord(
            id: UUIDv7.next(), userID: userID, kind: Self.artistsKind, homeCity: homeCity, createdAt: .now())
        let subjects = artists.map { artist in
            ConcertSearchSubjectRecord(
                rank: artist.rank, artistID: artist.id, name: artist.name,
                subjectKey: Self.key(ofArtist: artist.name))
        }
        try admit(subjects, userID: userID, in: transaction)
        try transaction.concerts.insertSearch(search)
        try attach(subjects, to: search, in: transaction, submit: submit)
        try transaction.concerts.noteWaiting(ofSearch: search.id)
        return search.id
    }

    /// Begins a search around a city; returns its id.
    ///
    /// - Parameter radius: kilometres, within ``radiusRange``.
    /// - Throws: `QuotaReached`.
    package func beginNearby(
        city: String, cityKey: String, radius: Int, userID: String, in transaction: WriteTransaction, submit: Submit
    ) throws -> String {
        let search = ConcertSearchRecord(
            id: UUIDv7.next(), userID: userID, kind: Self.nearbyKind, homeCity: city, createdAt: .now())
        let key = Self.key(ofCity: cityKey, radius: radius)
        let subject = ConcertSearchSubjectRecord(rank: 1, artistID: key, name: city, subjectKey: key)
        try admit([subject], userID: userID, in: transaction)
        try transaction.concerts.insertSearch(search)
        try attachNearby([subject], to: search, in: transaction, submit: submit)
        try transaction.concerts.noteWaiting(ofSearch: search.id)
        return search.id
    }

    package static func key(ofArtist name: String) -> String { "artist:" + FoldedName(name).key }

    package static func key(ofCity cityKey: String, radius: Int) -> String { "nearby:\(cityKey):\(radius)" }

    /// What ``key(ofCity:radius:)`` was made of.
    private static func cityAndRadius(ofKey key: String) -> (cityKey: String, radius: Int)? {
        let parts = key.split(separator: ":").dropFirst()
        guard let radius = parts.last.flatMap({ Int($0) }) else { return nil }
        return (parts.dropLast().joined(separator: ":"), radius)
    }

    /// Refuses a search that would wait for an answer while as many of its person's do as may. It is looked for before
    /// anything is written: whoever asks again and again must not keep the writer busy.
    private func admit(
        _ subjects: [ConcertSearchSubjectRecord], userID: String, in transaction: WriteTransaction
    ) throws {
        guard let maximumRunning else { return }
        let running = try transaction.concerts.runningSearches(ofUser: userID)
        guard running >= maximumRunning else { return }
        let waits = try subjects.contains { subject in
            var subject = subject
            return try !settle(&subject, by: transaction.concerts.subject(key: subject.subjectKey))
        }
        if waits { throw QuotaReached(.runningSearches, limit: maximumRunning, used: running, asked: 1) }
    }

    /// Gives each subject its fresh answer, or a lookup to wait for: one that is under way, or a new one.
    /// Artists whose attraction is known share a lookup, which asks for all of them in one call.
    private func attach(
        _ subjects: [ConcertSearchSubjectRecord], to search: ConcertSearchRecord, in transaction: WriteTransaction,
        submit: Submit
    ) throws {
        let now = Timestamp.now()
        var shared: [(subject: ConcertSearchSubjectRecord, artist: ConcertLookupPayload.Artist)] = []
        for var subject in subjects {
            let known = try transaction.concerts.subject(key: subject.subjectKey)
            try noteAsk(known, now: now, in: transaction)
            let artist = ConcertLookupPayload.Artist(
                key: subject.subjectKey, name: subject.name, attractionID: known?.attractionID)
            if settle(&subject, by: known) {
                // Nothing to wait for.
            } else if let jobID = known?.jobID {
                try Self.join(jobID, search.userID, in: transaction)
                subject.jobID = jobID
            } else if artist.attractionID != nil {
                shared.append((subject, artist))
                continue
            } else {
                let jobID = try submit(.artists(ConcertLookupPayload(artists: [artist])))
                try transaction.concerts.setLookup(subjectKey: subject.subjectKey, jobID: jobID, now: now)
                subject.jobID = jobID
            }
            try transaction.concerts.setSearchSubject(subject, searchID: search.id)
        }
        guard !shared.isEmpty else { return }
        let jobID = try submit(.artists(ConcertLookupPayload(artists: shared.map(\.artist))))
        for (subject, _) in shared {
            var subject = subject
            subject.jobID = jobID
            try transaction.concerts.setLookup(subjectKey: subject.subjectKey, jobID: jobID, now: now)
            try transaction.concerts.setSearchSubject(subject, searchID: search.id)
        }
    }

    /// Keeps what is known from being forgotten. Who asks again and again has it written down once in an hour.
    private func noteAsk(_ known: ConcertSubjectRecord?, now: Timestamp, in transaction: WriteTransaction) throws {
        guard let known, !(.zero..<ConcertUpkeep.askGranularity).contains(known.askedAt.duration(to: now)) else {
            return
        }
        try transaction.concerts.noteAsk(subjectKey: known.key, now: now)
    }

    /// Whether the last answer is fresh; then the subject has it.
    private func settle(_ subject: inout ConcertSearchSubjectRecord, by known: ConcertSubjectRecord?) -> Bool {
        guard let known, let checkedAt = known.checkedAt, let status = known.status,
            status == SearchOutcome.Coverage.complete.rawValue || status == SearchOutcome.Coverage.notFound.rawValue,
            // What a clock that was ahead has written would be fresh until that time has come.
            (.zero..<freshness).contains(checkedAt.duration(to: .now()))
        else { return false }
        subject.status = status
        subject.warningCode = known.warningCode
        return true
    }

    /// What is fresh about an area, as a search that was never stored; `nil` when it has to be looked up.
    package func freshNearby(
        city: String, cityKey: String, radius: Int, in reader: some SQLReader
    ) throws -> ConcertSearchResult? {
        let key = Self.key(ofCity: cityKey, radius: radius)
        var subject = ConcertSearchSubjectRecord(rank: 1, artistID: key, name: city, subjectKey: key)
        guard settle(&subject, by: try reader.concerts.subject(key: key)) else { return nil }
        let search = ConcertSearchRecord(
            id: "", userID: "", kind: Self.nearbyKind, homeCity: city, createdAt: .now())
        return ConcertSearchResult(search, subjects: [subject])
    }

    // MARK: Cancelling and repeating

    /// Ends a search's waiting. Lookups that others wait for go on.
    ///
    /// - Returns: what became of the lookups; `nil` when the user has no such search.
    package func cancel(id: String, userID: String, in transaction: WriteTransaction) throws -> Released? {
        guard let search = try transaction.concerts.search(id: id, userID: userID) else { return nil }
        let subjects = try transaction.concerts.searchSubjects(searchID: id)
        guard SearchOutcome(search, subjects).state == .running else { return Released() }
        let jobs = try transaction.concerts.cancelSearch(id: id, userID: userID, now: .now()) ?? []
        return try Self.release(jobs, in: transaction)
    }

    /// Looks again for the artists that failed or came back with gaps, and for those that a
    /// cancelled search did not get to.
    ///
    /// - Returns: how many are looked for; `nil` when the user has no such search.
    /// - Throws: `QuotaReached`.
    package func retry(
        id: String, userID: String, in transaction: WriteTransaction, submit: Submit
    ) throws -> Int? {
        guard let search = try transaction.concerts.search(id: id, userID: userID) else { return nil }
        let subjects = try transaction.concerts.searchSubjects(searchID: id)
        guard SearchOutcome(search, subjects).state != .running else { return 0 }
        let open = subjects.filter { subject in
            let coverage = subject.status.flatMap(SearchOutcome.Coverage.init)
            return coverage == nil || coverage == .failed || coverage == .partial
        }
        guard !open.isEmpty else { return 0 }
        let fresh = open.map {
            ConcertSearchSubjectRecord(
                rank: $0.rank, artistID: $0.artistID, name: $0.name, subjectKey: $0.subjectKey)
        }
        try admit(fresh, userID: userID, in: transaction)
        try transaction.concerts.reopenSearch(id: id)
        if search.kind == Self.nearbyKind {
            try attachNearby(fresh, to: search, in: transaction, submit: submit)
        } else {
            try attach(fresh, to: search, in: transaction, submit: submit)
        }
        try transaction.concerts.noteWaiting(ofSearch: id)
        return open.count
    }

    private func attachNearby(
        _ subjects: [ConcertSearchSubjectRecord], to search: ConcertSearchRecord, in transaction: WriteTransaction,
        submit: Submit
    ) throws {
        for var subject in subjects {
            guard let (cityKey, radius) = Self.cityAndRadius(ofKey: subject.subjectKey) else { continue }
            let payload = NearbyLookupPayload(
                key: subject.subjectKey, city: subject.name, cityKey: cityKey, radiusKm: radius)
            let (known, now) = (try transaction.concerts.subject(key: subject.subjectKey), Timestamp.now())
            try noteAsk(known, now: now, in: transaction)
            // Somebody else may have found it out meanwhile.
            if !settle(&subject, by: known) {
                if let jobID = known?.jobID { try Self.join(jobID, search.userID, in: transaction) }
                let jobID = try known?.jobID ?? submit(.nearby(payload))
                subject.jobID = jobID
                try transaction.concerts.setLookup(subjectKey: subject.subjectKey, jobID: jobID, now: now)
            }
            try transaction.concerts.setSearchSubject(subject, searchID: search.id)
        }
    }

    // MARK: Ends

    /// Ends one person's waiting for a lookup without an answer; that of others goes on.
    package static func failWaiter(
        _ userID: String, of jobID: String, with code: ConcertWarningCode, in transaction: WriteTransaction
    ) throws {
        let searches = try transaction.concerts.settleWaiters(
            jobID: jobID, userID: userID, subjectKey: nil, status: SearchOutcome.Coverage.failed.rawValue,
            warningCode: code.rawValue, resetsAt: nil)
        for search in searches { try transaction.concerts.touchSearch(id: search) }
    }

    /// Tells the searches that wait for a lookup that it ended without an answer.
    static func settleWaiters(ofLookup jobID: String, in transaction: WriteTransaction) throws {
        let searches = try transaction.concerts.settleWaiters(
            jobID: jobID, subjectKey: nil, status: SearchOutcome.Coverage.failed.rawValue,
            warningCode: ConcertWarningCode.upstreamError.rawValue, resetsAt: nil)
        for search in searches { try transaction.concerts.touchSearch(id: search) }
    }
}

extension SearchOutcome {
    /// How far a stored search is.
    package init(_ search: ConcertSearchRecord, _ subjects: [ConcertSearchSubjectRecord]) {
        self.init(
            artists: subjects.map { subject in
                (
                    RankedArtist(id: subject.artistID, name: subject.name, rank: subject.rank),
                    subject.status.flatMap(SearchOutcome.Coverage.init)
                )
            },
            isCancelled: search.cancelledAt != nil)
    }
}
