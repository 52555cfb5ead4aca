import Foundation
import TestSupport

/// The steps that are carried out on one installation, and the settings of its processes.
///
/// It is determined by its seed, and can be encoded and decoded, whole or shrunk.
package struct History: PlayableHistory {
    package var seed: UInt64
    package var setup: Setup
    package var operations: [Operation]

    /// The settings of the processes.
    package struct Setup: Codable, Sendable, Equatable {
        /// The program of the first worker; the second is always a concert-worker.
        package var firstProgram: String
        /// The number of jobs that run at once in one worker.
        package var concurrency: Int
        /// The allowed requests to the upstream in any second, in the configuration of the workers and the simulator.
        package var requestsPerSecond: Int
        /// The milliseconds from a request to the simulator's answer.
        package var latency: Int
        /// The quotas of a person, smaller than the configuration's defaults; `nil` for these.
        package var runningSearches: Int?
        package var unfinishedJobs: Int?
        package var unfinishedBytes: Int?

        package init(
            firstProgram: String, concurrency: Int, requestsPerSecond: Int, latency: Int, runningSearches: Int? = nil,
            unfinishedJobs: Int? = nil, unfinishedBytes: Int? = nil
        ) {
            self.firstProgram = firstProgram
            self.concurrency = concurrency
            self.requestsPerSecond = requestsPerSecond
            self.latency = latency
            self.runningSearches = runningSearches
            self.unfinishedJobs = unfinishedJobs
            self.unfinishedBytes = unfinishedBytes
        }
    }

    package init(seed: UInt64, setup: Setup, operations: [Operation]) {
        self.seed = seed
        self.setup = setup
        self.operations = operations
    }

    /// How many users a history has.
    package static let users = 2
    /// The attempts of a job.
    package static let maximumAttempts = 3

    package static let option: String? = nil

    package func play() async throws -> Verdict {
        let record = try await HistoryRun.record(self)
        return Verdict(violations: record.violations, summary: record.summary)
    }

    package var settings: String {
        let first =
            "\(setup.firstProgram) and concert-worker, \(setup.concurrency) jobs at once in each; the upstream allows "
            + "\(setup.requestsPerSecond) requests a second and answers after \(setup.latency) ms"
        let quotas = [
            setup.runningSearches.map { "\($0) running searches" },
            setup.unfinishedJobs.map { "\($0) unfinished jobs" },
            setup.unfinishedBytes.map { "unfinished jobs of \($0) bytes" },
        ].compactMap { $0 }
        let limits = quotas.isEmpty ? "" : "; a person may have " + quotas.joined(separator: " and ")
        return first + limits
    }
}

extension History.Setup {
    /// Draws quotas that are small enough to be reached. The others are those of the configuration.
    mutating func drawQuotas(from random: inout SeededRandom, seed: UInt64) {
        if random.next() % 3 != 0 { runningSearches = Int.random(in: 1...3, using: &random) }
        if random.next() % 3 == 0 { unfinishedJobs = Int.random(in: 6...16, using: &random) }
        // A separate generator, so that it does not change the other steps of a seed.
        var bytes = SeededRandom(seed: seed ^ 0x62_7974_6573)
        // A payload has 30 to 50 bytes.
        if bytes.next() % 3 == 0 { unfinishedBytes = Int.random(in: 240...640, using: &bytes) }
    }
}
