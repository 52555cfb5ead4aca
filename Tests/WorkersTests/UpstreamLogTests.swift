import Logging
import Model
import TestSupport
import Testing

@testable import Upstream
@testable import Workers

@Suite("Log of upstream calls")
struct UpstreamLogTests {
    private struct Recorder: LogHandler {
        let lines: Collector<String>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.append("\(event.level): \(event.metadata?["error"] ?? "")")
        }
    }

    @Test("Failures that the operator must correct are errors; temporary ones are warnings")
    func levels() {
        let lines = Collector<String>()
        let log = UpstreamLog(logger: Logger(label: "test") { _ in Recorder(lines: lines) })
        for error in [UpstreamError.invalidRequest("a header"), .invalidBaseURL("no host"), .timedOut] {
            let attempt = UpstreamEvent.Attempt(number: 1, error: error, duration: .zero, waited: .zero)
            log.record(UpstreamEvent(provider: "gemini", kind: .attempted(attempt)))
        }
        log.recordUnusableAddress(ProviderFailure(.invalidBaseURL("no host"), of: .google))
        #expect(
            lines.elements == [
                "error: the request cannot be sent: a header", "error: the base URL cannot be used: no host",
                "warning: no complete answer came within the time limit",
                "error: the base URL cannot be used: no host",
            ])
    }
}
