import Model

/// The progress of a search, computed from the coverage of its targets.
package struct SearchOutcome: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, Codable {
        case running
        /// All targets have complete answers.
        case complete
        /// Some targets failed or have gaps.
        case partial
        /// All targets failed.
        case failed
        /// Cancelled before all targets had an answer.
        case cancelled
    }

    /// How complete the answer for one target is.
    package enum Coverage: String, Hashable, Sendable, Codable {
        case complete
        /// Some pages of the answer are missing.
        case partial
        case failed
        /// Ticketmaster does not know the artist. This is a complete answer.
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

    /// An artist who has no answer yet.
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
    /// The artists with an answer, by rank.
    package let coverage: [CoveredArtist]
    /// The other artists, by rank.
    package let pending: [PendingArtist]

    /// - Parameters:
    ///   - artists: every artist of the search; the coverage is `nil` until there is an answer.
    ///   - isCancelled: whether the search was cancelled. That matters only while answers are missing.
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
