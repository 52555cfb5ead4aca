import Model

/// Finds the attraction that is meant by an artist's name.
///
/// A keyword search brings tribute bands and namesakes. A candidate must bear the name (folded;
/// a part of it is not enough), or list it among its aliases. Among several that do, these
/// decide, in order: the name itself before an alias, external links that match a known id,
/// links to Spotify or MusicBrainz at all, more links, the music segment, more upcoming
/// events, the smaller id. The segment only ranks: composers stand under Arts & Theatre.
package struct AttractionMatcher: Sendable {
    private let names: Set<FoldedName>
    private let spotifyID: String?
    private let musicBrainzID: String?

    /// - Parameters:
    ///   - aliases: further names of the same artist.
    ///   - spotifyID: of the artist, when known; a candidate that links to another one comes last.
    package init(name: String, aliases: [String] = [], spotifyID: String? = nil, musicBrainzID: String? = nil) {
        names = Set(([name] + aliases).map { FoldedName($0) }.filter { !$0.isEmpty })
        self.spotifyID = spotifyID
        self.musicBrainzID = musicBrainzID?.lowercased()
    }

    /// The best of the candidates, or `nil` when none bears the name. Their order does not matter.
    package func best(of candidates: [ConcertAttraction]) -> ConcertAttraction? {
        candidates
            .compactMap { candidate in merit(of: candidate).map { (candidate: candidate, merit: $0) } }
            .max { left, right in
                left.merit == right.merit ? left.candidate.id > right.candidate.id : left.merit < right.merit
            }?
            .candidate
    }

    /// Whether `name` is one of the artist's names.
    package func bears(_ name: String) -> Bool {
        names.contains(FoldedName(name))
    }

    private func merit(of candidate: ConcertAttraction) -> Merit? {
        let isNamed = bears(candidate.name)
        guard isNamed || candidate.aliases.contains(where: bears) else { return nil }
        return Merit(
            isNamed: isNamed ? 1 : 0,
            agreement: agreement(spotifyID, candidate.spotifyIDs) + agreement(musicBrainzID, candidate.musicBrainzIDs),
            hasMusicLink: candidate.spotifyIDs.isEmpty && candidate.musicBrainzIDs.isEmpty ? 0 : 1,
            links: candidate.externalLinkCount,
            isMusic: candidate.segment == "Music" ? 1 : 0,
            upcoming: candidate.upcomingEventCount ?? 0)
    }

    private func agreement(_ known: String?, _ linked: [String]) -> Int {
        guard let known, !linked.isEmpty else { return 0 }
        return linked.contains(known) ? 1 : -1
    }

    private struct Merit: Comparable {
        var isNamed: Int
        var agreement: Int
        var hasMusicLink: Int
        var links: Int
        var isMusic: Int
        var upcoming: Int

        static func < (left: Merit, right: Merit) -> Bool {
            // Tuples compare up to six members; these are six.
            (left.isNamed, left.agreement, left.hasMusicLink, left.links, left.isMusic, left.upcoming)
                < (right.isNamed, right.agreement, right.hasMusicLink, right.links, right.isMusic, right.upcoming)
        }
    }
}

extension AttractionMatcher {
    /// What a keyword search for an artist's events tells.
    package struct KeywordFindings: Hashable, Sendable {
        /// The artist's id, good for every later lookup; `nil` when no event names the artist.
        package var attraction: ConcertAttraction?
        /// The artist's events, in the order given.
        package var events: [ConcertEvent]
    }

    /// Picks the artist's events out of what a keyword brought.
    ///
    /// An event belongs when the attraction that is taken for the artist is on its bill, or when
    /// it has no bill and its own name is the artist's. Events of namesakes do not belong, since a
    /// lookup by the id learned here would not bring them either.
    ///
    /// - Parameter attractions: those embedded in the events.
    package func findings(events: [ConcertEvent], attractions: [ConcertAttraction]) -> KeywordFindings {
        let attraction = best(of: attractions)
        return KeywordFindings(
            attraction: attraction,
            events: events.filter { event in
                if event.attractions.isEmpty { return bears(event.name) }
                return event.attractions.contains { $0.id == attraction?.id }
            })
    }
}
