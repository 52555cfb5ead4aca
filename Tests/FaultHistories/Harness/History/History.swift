import Foundation

/// What is done to a Backline of its own: the processes' settings, and the steps.
///
/// It follows from its seed alone, and can be written down and read back, whole or shrunk.
package struct History: Codable, Sendable, Equatable {
    package var seed: UInt64
    package var setup: Setup
    package var operations: [Operation]

    /// How the processes are set up.
    package struct Setup: Codable, Sendable, Equatable {
        /// The program of the first worker; the second is always a concert-worker.
        package var firstProgram: String
        /// Jobs at once in one worker.
        package var concurrency: Int
        /// Requests to the upstream in any second, as the workers and the simulator know it.
        package var requestsPerSecond: Int
        /// Milliseconds that the simulator takes for an answer.
        package var latency: Int

        package init(firstProgram: String, concurrency: Int, requestsPerSecond: Int, latency: Int) {
            self.firstProgram = firstProgram
            self.concurrency = concurrency
            self.requestsPerSecond = requestsPerSecond
            self.latency = latency
        }
    }

    package init(seed: UInt64, setup: Setup, operations: [Operation]) {
        self.seed = seed
        self.setup = setup
        self.operations = operations
    }

    /// How many users a history has.
    package static let users = 2
    /// How often a job is tried.
    package static let maximumAttempts = 3

    // MARK: Written down

    package init(json: Data) throws {
        self = try JSONDecoder().decode(History.self, from: json)
    }

    package var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self)
        }
    }

    /// For people: the settings, then the steps, numbered.
    package var lines: [String] {
        let first =
            "\(setup.firstProgram) and concert-worker, \(setup.concurrency) jobs at once in each; the upstream allows "
            + "\(setup.requestsPerSecond) requests a second and answers after \(setup.latency) ms"
        return [first] + operations.enumerated().map { "\($0 + 1). \($1)" }
    }
}
