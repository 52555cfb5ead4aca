import Contracts
import Foundation
import Storage

extension JobHandler {
    /// `diagnostics.echo`: returns its payload, after `sleepMs` milliseconds if the payload contains that member. Its
    /// first `failAttempts` attempts fail.
    package static let diagnosticsEcho = JobHandler(.diagnosticsEcho) { payload, context in
        guard let echo = EchoPayload(payload: payload.text) else { return JobResult(payload) }
        if let pause = echo.pause { try await Task.sleep(for: pause) }
        if context.job.attempt <= echo.failAttempts ?? 0 {
            throw JobFailure(
                code: "failedAsAsked", message: "The payload's failAttempts asks for it.", remedy: .retry(after: nil))
        }
        return JobResult(payload)
    }
}

/// The members of a payload that `diagnostics.echo` acts on.
package struct EchoPayload: Decodable {
    /// The milliseconds to sleep, 0 … 600,000.
    package var sleepMs: Int?

    package static let sleepRange = 0...600_000

    /// How many attempts fail before one succeeds.
    package var failAttempts: Int?

    /// `nil` when the payload has none of these members.
    package init?(payload: String) {
        // Searched first, since decoding JSON costs more than the rest of a short job. JSON text contains no NUL that
        // could end the C string early.
        guard strstr(payload, "sleepMs") != nil || strstr(payload, "failAttempts") != nil,
            let echo = try? JSONDecoder().decode(EchoPayload.self, from: Data(payload.utf8))
        else { return nil }
        self = echo
    }

    var pause: Duration? {
        guard let sleepMs, sleepMs > 0 else { return nil }
        return .milliseconds(min(sleepMs, Self.sleepRange.upperBound))
    }
}
