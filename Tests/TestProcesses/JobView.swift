import Foundation
import Model

/// A job in the API.
package struct JobView: Decodable, Sendable, Equatable {
    package struct Failure: Decodable, Sendable, Equatable {
        package var code: String
        package var message: String
    }

    /// An attempt that failed.
    package struct Attempt: Decodable, Sendable, Equatable {
        package var attempt: Int
        package var code: String
    }

    package var id: String
    package var kind: String
    package var state: String
    package var priority: Int
    package var attempt: Int
    package var result: JSON?
    package var error: Failure?
    package var createdAt: String
    package var runAt: String
    package var startedAt: String?
    package var finishedAt: String?
    /// The failed attempts; only in the answer to `GET /v1/jobs/{id}`.
    package var attempts: [Attempt]?

    package var isFinished: Bool { ["succeeded", "failed", "cancelled"].contains(state) }
}

/// A page of a list.
package struct JobPage: Decodable, Sendable {
    package var items: [JobView]
    package var nextCursor: String?
}

/// `GET /v1/jobs/summary`.
package struct JobSummary: Decodable, Sendable, Equatable {
    package var scheduled = 0
    package var queued = 0
    package var running = 0
    package var succeeded = 0
    package var failed = 0
    package var cancelled = 0

    package init(
        scheduled: Int = 0, queued: Int = 0, running: Int = 0, succeeded: Int = 0, failed: Int = 0, cancelled: Int = 0
    ) {
        self.scheduled = scheduled
        self.queued = queued
        self.running = running
        self.succeeded = succeeded
        self.failed = failed
        self.cancelled = cancelled
    }

    package var unfinished: Int { scheduled + queued + running }
}

/// Bodies of requests with `diagnostics.echo`.
package enum Echo {
    /// A `diagnostics.echo` that returns `n` after `sleepMs`.
    ///
    /// - Parameter extra: further members, such as `"priority":5`.
    package static func job(_ n: Int = 0, sleepMs: Int? = nil, extra: String? = nil) -> String {
        let sleep = sleepMs.map { ",\"sleepMs\":\($0)" } ?? ""
        let more = extra.map { "," + $0 } ?? ""
        return #"{"kind":"diagnostics.echo","payload":{"n":\#(n)\#(sleep)}\#(more)}"#
    }

    package static func batch(_ numbers: some Sequence<Int>, sleepMs: Int? = nil) -> String {
        #"{"jobs":[\#(numbers.map { job($0, sleepMs: sleepMs) }.joined(separator: ","))]}"#
    }
}
