import Foundation
import Model

/// A job as the API shows it.
struct JobEntry: Decodable, Equatable {
    struct Progress: Decodable, Equatable {
        /// What it is about at present.
        var phase: String?
        var done: Int
        /// 0 while nobody knows.
        var total: Int
        /// How much of what came together.
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

    /// What its owner has to see to before it goes on.
    struct WaitsFor: Decodable, Equatable {
        var provider: String
        var detail: String?

        var text: String { [provider, detail].compactMap { $0 }.joined(separator: ": ") }
    }

    var id: String
    var kind: String
    /// Whose; only where administrators ask.
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
    /// Only where one job is asked for.
    var attempts: [Attempt]?

    /// How long it ran, or runs.
    func runTime(until now: Timestamp) -> Duration? {
        guard let start = startedAt.flatMap(Timestamp.init(rfc3339:)) else { return nil }
        guard state.isFinished else { return state == .running ? start.duration(to: now) : nil }
        return finishedAt.flatMap(Timestamp.init(rfc3339:)).map { start.duration(to: $0) }
    }
}

/// A job with the JSON that it was read from, for those who print that.
struct JobNews: Equatable {
    var job: JobEntry
    /// As the gateway wrote it.
    var json: Data

    init(json: Data) throws {
        self.json = json
        job = try JSONDecoder().decode(JobEntry.self, from: json)
    }
}
