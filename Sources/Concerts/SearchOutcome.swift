import Model

/// How far a search is, computed from what is known of each of its artists.
package struct SearchOutcome: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, Codable {
        case running
        /// Everything that was asked for is known.
        case complete
        /// Something failed, and something did not.
        case partial
        /// Nothing could be found out.
        case failed
        /// Stopped before every artist was done.
        case cancelled
    }

    /// What is known of one artist once it is done.
    package enum Coverage: String, Hashable, Sendable, Codable {
        case complete
        /// Some of the artist's pages failed.
        case partial
        case failed
        /// Ticketmaster does not know the artist: an answer like any other.
        case notFound
    }

    package struct CoveredArtist: Hashable, Sendable, Codable {
        package var artist: String
        package var rank: Int
        package var status: Coverage

        package init(artist: String, rank: Int, status: Coverage) {
            self.artist = artist
            self.rank = rank
            self.status = status
        }
    }

    /// An artist of whom nothing is known yet.
    package struct PendingArtist: Hashable, Sendable {
        package var artist: String
        package var rank: Int
    }

    package struct Progress: Hashable, Sendable, Codable {
        package var done: Int
        package var total: Int

        package init(done: Int, total: Int) {
            self.done = done
            self.total = total
        }
    }

    package let state: State
    package let progress: Progress
    /// The artists that are done, by rank.
    package let coverage: [CoveredArtist]
    /// The others, by rank.
    package let pending: [PendingArtist]

    /// - Parameters:
    ///   - artists: every artist of the search, with `nil` while it is not done.
    ///   - isCancelled: whether somebody cancelled the search. One that was done by then stays what it was.
    package init(artists: [(artist: RankedArtist, coverage: Coverage?)], isCancelled: Bool) {
        coverage =
            artists
            .compactMap { entry in
                entry.coverage.map {
                    CoveredArtist(artist: entry.artist.name, rank: entry.artist.rank, status: $0)
                }
            }
            .sorted { $0.rank < $1.rank }
        pending = artists.filter { $0.coverage == nil }
            .map { PendingArtist(artist: $0.artist.name, rank: $0.artist.rank) }
            .sorted { $0.rank < $1.rank }
        progress = Progress(done: coverage.count, total: artists.count)
        state = Self.state(coverage.map(\.status), pending: artists.count - coverage.count, isCancelled: isCancelled)
    }

    private static func state(_ done: [Coverage], pending: Int, isCancelled: Bool) -> State {
        if pending > 0 { return isCancelled ? .cancelled : .running }
        if !done.isEmpty, done.allSatisfy({ $0 == .failed }) { return .failed }
        return done.contains { $0 == .failed || $0 == .partial } ? .partial : .complete
    }
}
