/// A person changes playlists at a simulated Spotify and Apple Music through Backline, while other people change the
/// same playlists and everything in between breaks.
package struct EditHistory: PlayableHistory {
    package static let option: String? = "--edits"

    package var seed: UInt64
    package var setup: Setup
    package var operations: [EditOperation]

    /// The settings of the processes and of the services.
    package struct Setup: Codable, Sendable, Equatable {
        /// The milliseconds from a request to the services' answers.
        package var latency: Int
        /// The number of jobs that run at once in one worker.
        package var concurrency: Int
        /// The number of entries of the initial playlists.
        package var entries: Int
        /// Apple Music: the number of calls that do not show additions yet.
        package var showsAfterCalls: Int
        /// Apple Music: whether the date of a playlist changes before its songs show.
        package var showsDatesAtOnce: Bool

        package init(
            latency: Int = 5, concurrency: Int = 2, entries: Int = 6, showsAfterCalls: Int = 0,
            showsDatesAtOnce: Bool = false
        ) {
            (self.latency, self.concurrency, self.entries) = (latency, concurrency, entries)
            (self.showsAfterCalls, self.showsDatesAtOnce) = (showsAfterCalls, showsDatesAtOnce)
        }
    }

    /// The number of initial playlists at each service.
    package static let lists = 2
    /// The number of saved songs at each service, which everybody adds to playlists.
    package static let songs = 12

    package init(seed: UInt64, setup: Setup, operations: [EditOperation]) {
        (self.seed, self.setup, self.operations) = (seed, setup, operations)
    }

    package var settings: String {
        "\(Self.lists) playlists of \(setup.entries) songs at each service, which answers after \(setup.latency) ms; "
            + "\(setup.concurrency) jobs at once in each worker"
            + (setup.showsAfterCalls > 0
                ? "; Apple Music shows what was added after \(setup.showsAfterCalls) further calls"
                    + (setup.showsDatesAtOnce ? ", and its date at once" : "") : "")
    }

    package func play() async throws -> Verdict {
        let record = try await EditHistoryRun.record(self)
        return Verdict(violations: record.violations, summary: record.summary)
    }
}
