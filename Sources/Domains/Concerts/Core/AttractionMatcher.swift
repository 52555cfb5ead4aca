import Model

/// Finds the attraction of an artist by the artist's name.
///
/// A keyword search also finds tribute bands and namesakes. A candidate must have the folded name as its whole name or
/// alias, not only as a part of it. Among several candidates, the best one is chosen by, in this order: the name itself
/// before an alias, external links that match a known id, links to Spotify or MusicBrainz, more links, the music
/// segment, more upcoming events, the smaller id. Other segments are not excluded, because composers are in Arts &
/// Theatre.
package struct AttractionMatcher: Sendable {
    private let names: Set<FoldedName>
    private let spotifyID: String?
    private let musicBrainzID: String?

    /// - Parameters:
    ///   - aliases: other names of the artist.
    ///   - spotifyID: the artist's id, if known. A candidate that links to another id ranks last.
    package init(name: String, aliases: [String] = [], spotifyID: String? = nil, musicBrainzID: String? = nil) {
        names = Set(([name] + aliases).map { FoldedName($0) }.filter { !$0.isEmpty })
        self.spotifyID = spotifyID
        self.musicBrainzID = musicBrainzID?.lowercased()
    }

    /// The best of the candidates, whatever their order; `nil` when none has the name.
    package func best(of candidates: [ConcertAttraction]) -> ConcertAttraction? {
        candidates
            .compactMap { candidate in score(of: candidate).map { (candidate: candidate, score: $0) } }
            .max { left, right in
                left.score == right.score ? left.candidate.id > right.candidate.id : left.score < right.score
            }?
            .candidate
    }

    /// Whether `name` is one of the artist's names.
    package func hasName(_ name: String) -> Bool {
        names.contains(FoldedName(name))
    }

    /// Whether a candidate links to ids other than the known ones: then it is most likely another artist with the same
    /// name.
    package func isNamesake(_ candidate: ConcertAttraction) -> Bool { agreement(of: candidate) < 0 }

    private func agreement(of candidate: ConcertAttraction) -> Int {
        agreement(spotifyID, candidate.spotifyIDs) + agreement(musicBrainzID, candidate.musicBrainzIDs)
    }

    private func score(of candidate: ConcertAttraction) -> MatchScore? {
        let isNamed = hasName(candidate.name)
        guard isNamed || candidate.aliases.contains(where: hasName) else { return nil }
        return MatchScore(
            isNamed: isNamed ? 1 : 0,
            agreement: agreement(of: candidate),
            hasMusicLink: candidate.spotifyIDs.isEmpty && candidate.musicBrainzIDs.isEmpty ? 0 : 1,
            links: candidate.externalLinkCount,
            isMusic: candidate.segment == "Music" ? 1 : 0,
            upcoming: candidate.upcomingEventCount ?? 0)
    }

    private func agreement(_ known: String?, _ linked: [String]) -> Int {
        guard let known, !linked.isEmpty else { return 0 }
        return linked.contains(known) ? 1 : -1
    }

    private struct MatchScore: Comparable {
        var isNamed: Int
        var agreement: Int
        var hasMusicLink: Int
        var links: Int
        var isMusic: Int
        var upcoming: Int

        static func < (left: MatchScore, right: MatchScore) -> Bool {
            // The standard library compares tuples of up to six members.
            (left.isNamed, left.agreement, left.hasMusicLink, left.links, left.isMusic, left.upcoming)
                < (right.isNamed, right.agreement, right.hasMusicLink, right.links, right.isMusic, right.upcoming)
        }
    }
}

extension AttractionMatcher {
    /// The results of a keyword search for an artist's events.
    package struct KeywordFindings: Hashable, Sendable {
        /// The artist's attraction; `nil` when it is on no bill.
        package var attraction: ConcertAttraction?
        /// The artist's events, in their order.
        package var events: [ConcertEvent]
    }

    /// Selects the artist's events from those of a keyword search.
    ///
    /// These are the events with the artist's attraction on the bill, and the events without a bill that are named
    /// after the artist (``BilllessName``). Events of namesakes are left out, as in a later lookup by the attraction's
    /// id.
    ///
    /// - Parameter attractions: the attractions on the events' bills.
    package func findings(events: [ConcertEvent], attractions: [ConcertAttraction]) -> KeywordFindings {
        let attraction = best(of: attractions)
        return KeywordFindings(
            attraction: attraction,
            events: events.filter { event in
                if event.attractions.isEmpty { return isNamed(event) }
                return event.attractions.contains { $0.id == attraction?.id }
            })
    }

    /// The events without a bill that are named after the artist whose attraction is known. Empty when the name finds a
    /// namesake instead of the artist, because the events may be the namesake's.
    package func billless(
        _ events: [ConcertEvent], attractions: [ConcertAttraction], artist attractionID: String?
    ) -> [ConcertEvent] {
        if let best = best(of: attractions), best.id != attractionID, isNamesake(best) { return [] }
        return events.filter { $0.attractions.isEmpty && isNamed($0) }
    }

    private func isNamed(_ event: ConcertEvent) -> Bool {
        BilllessName(event.name, segment: event.segment).isArtists(names)
    }
}
