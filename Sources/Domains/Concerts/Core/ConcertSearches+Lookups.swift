import Contracts
import Model
import Storage

extension ConcertSearches {
    /// A job that a search needs. The search's rows already contain its id: the caller submits it in the same
    /// transaction.
    package struct Lookup: Sendable {
        package enum Payload: Sendable {
            case artists(ConcertLookupPayload)
            case nearby(NearbyLookupPayload)
        }

        /// The id that the job gets.
        package let jobID = UUIDv7.next()
        package let payload: Payload
        /// The person who searches, under whom the job is queued.
        package let userID: String
    }

    /// Stores each target with its fresh answer, or with the lookup that it waits for, which is under way or new.
    ///
    /// - Returns: the new lookups.
    func attach(
        _ targets: [SearchTargetRecord], to search: ConcertSearchRecord, in transaction: WriteTransaction
    ) throws -> [Lookup] {
        let now = Timestamp.now()
        var lookups: [Lookup] = []
        // Artists with known attractions share one lookup, which asks for all of them in one call.
        var shared: [NameSearches.Target] = []
        func wait(_ target: SearchTargetRecord, for lookup: Lookup) throws {
            var target = target
            target.jobID = lookup.jobID
            try transaction.concerts.setLookup(targetKey: target.targetKey, jobID: lookup.jobID, now: now)
            try transaction.concerts.setSearchTarget(target, searchID: search.id)
        }
        for var target in targets {
            let known = try transaction.concerts.target(key: target.targetKey)
            try recordRequest(known, now: now, in: transaction)
            if useFreshAnswer(&target, by: known) {
                try transaction.concerts.setSearchTarget(target, searchID: search.id)
            } else if let jobID = known?.jobID {
                try Self.join(jobID, search.userID, in: transaction)
                target.jobID = jobID
                try transaction.concerts.setSearchTarget(target, searchID: search.id)
            } else if search.kind == Self.nearbyKind {
                guard let area = NearbyLookupPayload(key: target.targetKey, city: target.name) else { continue }
                let lookup = Lookup(payload: .nearby(area), userID: search.userID)
                lookups.append(lookup)
                try wait(target, for: lookup)
            } else {
                let artist = ConcertLookupPayload.Artist(
                    key: target.targetKey, name: target.name, attractionID: known?.attractionID,
                    spotifyID: Self.spotifyID(inKey: target.targetKey))
                guard artist.attractionID == nil else {
                    shared.append(.init(target: target, artist: artist, searchedAt: known?.nameSearchedAt))
                    continue
                }
                let lookup = Lookup(payload: .artists(.init(artists: [artist])), userID: search.userID)
                lookups.append(lookup)
                try wait(target, for: lookup)
            }
        }
        guard !shared.isEmpty else { return lookups }
        NameSearches.mark(&shared, now: now)
        let lookup = Lookup(payload: .artists(.init(artists: shared.map(\.artist))), userID: search.userID)
        for entry in shared { try wait(entry.target, for: lookup) }
        return lookups + [lookup]
    }

    /// Records that a search asked for a target, which keeps ``ConcertUpkeep`` from deleting it. The time is written at
    /// most once per ``ConcertUpkeep/askGranularity``.
    private func recordRequest(_ known: LookupTargetRecord?, now: Timestamp, in transaction: WriteTransaction) throws {
        guard let known, !(.zero..<ConcertUpkeep.askGranularity).contains(known.askedAt.duration(to: now)) else {
            return
        }
        try transaction.concerts.recordRequest(targetKey: known.key, now: now)
    }

    /// Copies the stored answer to a search's target if it is fresh.
    ///
    /// - Returns: whether it is fresh.
    func useFreshAnswer(_ target: inout SearchTargetRecord, by known: LookupTargetRecord?) -> Bool {
        guard let known, let checkedAt = known.checkedAt, let status = known.status,
            status == SearchOutcome.Coverage.complete.rawValue || status == SearchOutcome.Coverage.notFound.rawValue,
            // An answer from the future was stored while the clock was ahead; it is not fresh.
            (.zero..<freshness).contains(checkedAt.duration(to: .now()))
        else { return false }
        target.status = status
        target.warningCode = known.warningCode
        return true
    }
}

extension NearbyLookupPayload {
    /// The area that a subject's key contains (``ConcertSearches/key(ofCity:radius:)``); `nil` when it contains none.
    ///
    /// - Parameter city: the name to ask for.
    init?(key: String, city: String) {
        let parts = key.split(separator: ":")
        guard parts.first == "nearby",
            let radius = parts.last.flatMap({ Int(decimal: $0, in: ConcertSearches.radiusRange) })
        else { return nil }
        self.init(
            key: key, city: city, cityKey: parts.dropFirst().dropLast().joined(separator: ":"), radiusKm: radius)
    }
}
