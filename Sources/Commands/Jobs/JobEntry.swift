import Foundation
import Model

/// A job as the API shows it.
struct JobEntry: Decodable, Equatable {
    struct Progress: Decodable, Equatable {
        /// The current step of the work.
        var phase: String?
        var done: Int
        /// 0 while the total is unknown.
        var total: Int
        /// Additional counts by name, such as `albums`.
        var counts: [String: Int]?

        /// `reading: 2 of 9 (albums 7, tracks 120)`.
        var text: String {
            let counts = (counts ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            return (phase.map { $0 + ": " } ?? "") + "\(done)" + (total > 0 ? " of \(total)" : "")
                + (counts.isEmpty ? "" : " (\(counts.joined(separator: ", ")))")
        }
    }

    struct Failure: Decodable, Equatable {
        var code: String
        var message: String?
    }

    /// An attempt that did not succeed.
    struct Attempt: Decodable, Equatable {
        var attempt: Int
        var code: String
        var message: String?
        var finishedAt: String?
    }

    /// The provider that the owner has to fix in setup before the job continues.
    struct WaitsFor: Decodable, Equatable {
        var provider: String
        var detail: String?

        var text: String { [provider, detail].compactMap { $0 }.joined(separator: ": ") }
    }

    var id: String
    var kind: String
    /// The owner's name, only in administrators' lists.
    var userName: String?
    var state: JobState
    var priority: Int
    var attempt: Int
    var progress: Progress?
    var error: Failure?
    var waitsFor: WaitsFor?
    var createdAt: String
    var runAt: String?
    var startedAt: String?
    var finishedAt: String?
    /// The attempts, which only the response for a single job contains.
    var attempts: [Attempt]?

    /// How long the job ran, or has run until now; `nil` if it never started, or waits to run again.
    func runTime(until now: Timestamp) -> Duration? {
        guard let start = startedAt.flatMap(Timestamp.init(rfc3339:)) else { return nil }
        guard state.isFinished else { return state == .running ? start.duration(to: now) : nil }
        return finishedAt.flatMap(Timestamp.init(rfc3339:)).map { start.duration(to: $0) }
    }
}

/// A job together with the JSON that it was decoded from, for `--json`.
struct JobDocument: Equatable {
    var job: JobEntry
    /// The gateway's JSON.
    var json: Data

    init(json: Data) throws {
        self.json = json
        job = try JSONDecoder().decode(JobEntry.self, from: json)
    }
}
