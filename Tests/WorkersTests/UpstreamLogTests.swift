import Model
import TestSupport
import Testing

@testable import Upstream
@testable import Workers

@Suite("The log of upstream calls")
struct UpstreamLogTests {
    @Test("Failures that the operator must correct are errors; temporary ones are warnings")
    func levelsOfFailures() {
        let recorder = LogRecorder()
        let log = UpstreamLog(logger: recorder.logger)
        for error in [UpstreamError.invalidRequest("a header"), .invalidBaseURL("no host"), .timedOut] {
            let attempt = UpstreamEvent.Attempt(number: 1, error: error, duration: .zero, waited: .zero)
            log.record(UpstreamEvent(provider: "gemini", kind: .attempted(attempt)))
        }
        log.recordUnusableAddress(ProviderFailure(.invalidBaseURL("no host"), of: .google))
        #expect(
            recorder.lines.map { "\($0.level): \($0.metadata["error"] ?? "")" } == [
                "error: the request cannot be sent: a header", "error: the base URL cannot be used: no host",
                "warning: no complete answer came within the time limit",
                "error: the base URL cannot be used: no host",
            ])
    }
}
