import Contracts
import Model

/// Finds the concerts of artists.
package struct ConcertLookup: Sendable {
    /// How long after its first call a failing lookup is still split into smaller calls.
    static let splittingTime = Duration.seconds(120)

    private let source: any ConcertSource
    private let now: @Sendable () -> MonotonicInstant

    /// - Parameter now: the clock by which ``splittingTime`` is measured.
    package init(source: any ConcertSource, now: @escaping @Sendable () -> MonotonicInstant = { .now() }) {
        self.source = source
        self.now = now
    }

    /// Returns one answer for each artist, in the artists' order. A provider's failure is also an answer.
    ///
    /// - Throws: `CancellationError`.
    package func run(_ payload: ConcertLookupPayload) async throws -> [ConcertAnswer] {
        let known = payload.artists.compactMap { artist in
            artist.attractionID.map { KnownArtist(key: artist.key, name: artist.name, attractionID: $0) }
        }
        var answers: [String: ConcertAnswer] = [:]
        for answer in try await lookUp(known, giveUpAt: nil) { answers[answer.targetKey] = answer }
        for artist in payload.artists {
            if artist.attractionID == nil {
                answers[artist.key] = try await find(artist)
            } else if artist.searchesName == true, let answer = answers[artist.key], answer.coverage == .complete {
                answers[artist.key] = try await addingFoundByName(to: answer, of: artist)
            }
        }
        return payload.artists.compactMap { answers[$0.key] }
    }

    // MARK: Artists whose attraction is known

    private struct KnownArtist {
        var key: String
        var name: String
        var attractionID: String
    }

    /// Asks for all artists in one call. If that fails, asks for each half, until the artist who causes the failure is
    /// on its own.
    ///
    /// - Parameter limit: when to stop splitting; `nil` for the first call.
    private func lookUp(_ artists: [KnownArtist], giveUpAt limit: MonotonicInstant?) async throws -> [ConcertAnswer] {
        guard !artists.isEmpty else { return [] }
        let began = now()
        do {
            let found = try await source.find(
                .eventsByAttractions(artists.map(\.attractionID), limit == nil ? .full : .once))
            return artists.map { artist in
                ConcertAnswer(
                    targetKey: artist.key, attractionID: artist.attractionID,
                    events: found.events.filter { event in
                        event.attractions.contains { $0.id == artist.attractionID }
                    },
                    gap: found.gap)
            }
        } catch let failure as ProviderFailure {
            let limit = limit ?? began.advanced(by: Self.splittingTime)
            guard artists.count > 1, failure.isWorthSplitting, now() < limit else {
                return artists.map { .failed($0.key, failure) }
            }
            let half = artists.count / 2
            return try await lookUp(Array(artists[..<half]), giveUpAt: limit)
                + lookUp(Array(artists[half...]), giveUpAt: limit)
        }
    }

    /// Adds the shows without a bill that a search for the artist's name finds. If that search fails, the answer is
    /// complete without it, and a later lookup searches again.
    private func addingFoundByName(
        to answer: ConcertAnswer, of artist: ConcertLookupPayload.Artist
    ) async throws -> ConcertAnswer {
        let matcher = AttractionMatcher(name: artist.name, spotifyID: artist.spotifyID)
        do {
            let page = try await source.find(.eventsByKeyword(artist.name))
            guard page.gap == nil else { return answer }
            var answer = answer
            answer.nameSearch = page.hasMore ? .partial : .complete
            let known = Set(answer.events.map(\.id))
            answer.events += matcher.billless(page.events, attractions: page.attractions, artist: answer.attractionID)
                .filter { !known.contains($0.id) }
            return answer
        } catch is ProviderFailure {
            return answer
        }
    }

    // MARK: Artists that have to be found first

    private func find(_ artist: ConcertLookupPayload.Artist) async throws -> ConcertAnswer {
        let matcher = AttractionMatcher(name: artist.name, spotifyID: artist.spotifyID)
        do {
            let page = try await source.find(.eventsByKeyword(artist.name))
            let nameSearch: ConcertAnswer.NameSearch = page.hasMore || page.gap != nil ? .partial : .complete
            let findings = matcher.findings(events: page.events, attractions: page.attractions)
            if let attraction = findings.attraction, matcher.isNamesake(attraction) {
                let others = try await source.find(.attractions(artist.name)).attractions
                if let best = matcher.best(of: [attraction] + others), best.id != attraction.id {
                    return try await allEvents(of: best, for: artist, keeping: [], nameSearch)
                }
            }
            if let attraction = findings.attraction {
                // Other artists' events may fill the page; the id finds the artist's events on later pages.
                guard page.hasMore else {
                    return ConcertAnswer(
                        targetKey: artist.key, attractionID: attraction.id, events: findings.events, gap: page.gap,
                        nameSearch: nameSearch)
                }
                return try await allEvents(of: attraction, for: artist, keeping: findings.events, nameSearch)
            }
            guard let attraction = matcher.best(of: try await source.find(.attractions(artist.name)).attractions) else {
                guard findings.events.isEmpty else {
                    return ConcertAnswer(
                        targetKey: artist.key, attractionID: nil, events: findings.events, gap: page.gap,
                        nameSearch: nameSearch)
                }
                return .notFound(artist.key)
            }
            return try await allEvents(of: attraction, for: artist, keeping: findings.events, nameSearch)
        } catch let failure as ProviderFailure {
            return .failed(artist.key, failure)
        }
    }

    /// Finds the attraction's events by its id, and adds those that the search by name has found.
    private func allEvents(
        of attraction: ConcertAttraction, for artist: ConcertLookupPayload.Artist, keeping events: [ConcertEvent],
        _ nameSearch: ConcertAnswer.NameSearch
    ) async throws -> ConcertAnswer {
        do {
            let found = try await source.find(.eventsByAttractions([attraction.id], .full))
            let ids = Set(found.events.map(\.id))
            return ConcertAnswer(
                targetKey: artist.key, attractionID: attraction.id,
                events: found.events + events.filter { !ids.contains($0.id) }, gap: found.gap, nameSearch: nameSearch)
        } catch let failure as ProviderFailure {
            // The events that the keyword has found, and the id, are kept.
            return ConcertAnswer(
                targetKey: artist.key, attractionID: attraction.id, events: events, gap: failure,
                nameSearch: nameSearch, hasFailed: events.isEmpty)
        }
    }
}
