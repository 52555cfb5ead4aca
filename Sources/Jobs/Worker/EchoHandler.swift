import Contracts
import Foundation
import Storage

extension JobHandler {
    /// `diagnostics.echo`: gives its payload back, after `sleepMs` milliseconds if it names them.
    package static let diagnosticsEcho = JobHandler(.diagnosticsEcho) { context in
        if let pause = EchoPayload.pause(in: context.job.payload) {
            try await Task.sleep(for: pause)
        }
        return JobOutcome(result: context.job.payload)
    }
}

/// What `diagnostics.echo` looks for in its payload.
package struct EchoPayload: Decodable {
    /// 0 … 600,000.
    package var sleepMs: Int?

    package static let sleepRange = 0...600_000

    static func pause(in payload: String) -> Duration? {
        // Most payloads of a benchmark name none, and are not worth a JSON decoder. JSON holds no NUL
        // that could end the C string early.
        guard strstr(payload, "sleepMs") != nil,
            let echo = try? JSONDecoder().decode(EchoPayload.self, from: Data(payload.utf8)),
            let milliseconds = echo.sleepMs, milliseconds > 0
        else { return nil }
        return .milliseconds(min(milliseconds, sleepRange.upperBound))
    }
}
