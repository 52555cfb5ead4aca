import Foundation
import Model

/// A job as the API shows it.
struct JobView: Decodable, Sendable, Equatable {
    struct Failure: Decodable, Sendable, Equatable {
        var code: String
        var message: String
    }

    /// An attempt that failed.
    struct Attempt: Decodable, Sendable, Equatable {
        var attempt: Int
        var code: String
    }

    var id: String
    var kind: String
    var state: String
    var priority: Int
    var attempt: Int
    var result: JSON?
    var error: Failure?
    var createdAt: String
    var runAt: String
    var startedAt: String?
    var finishedAt: String?
    /// Only where one job is asked for.
    var attempts: [Attempt]?

    var isFinished: Bool { ["succeeded", "failed", "cancelled"].contains(state) }
}

/// A page of a list.
struct JobPage: Decodable, Sendable {
    var items: [JobView]
    var nextCursor: String?
}

/// `GET /v1/jobs/summary`.
struct JobSummary: Decodable, Sendable, Equatable {
    var scheduled = 0
    var queued = 0
    var running = 0
    var succeeded = 0
    var failed = 0
    var cancelled = 0

    var unfinished: Int { scheduled + queued + running }
}

/// Bodies of requests.
enum Echo {
    /// A `diagnostics.echo` that gives `n` back after `sleepMs`.
    ///
    /// - Parameter extra: further members, such as `"priority":5`.
    static func job(_ n: Int = 0, sleepMs: Int? = nil, extra: String? = nil) -> String {
        let sleep = sleepMs.map { ",\"sleepMs\":\($0)" } ?? ""
        let more = extra.map { "," + $0 } ?? ""
        return #"{"kind":"diagnostics.echo","payload":{"n":\#(n)\#(sleep)}\#(more)}"#
    }

    static func batch(_ numbers: some Sequence<Int>, sleepMs: Int? = nil) -> String {
        #"{"jobs":[\#(numbers.map { job($0, sleepMs: sleepMs) }.joined(separator: ","))]}"#
    }
}
