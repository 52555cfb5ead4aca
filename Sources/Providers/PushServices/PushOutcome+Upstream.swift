import Model
import Push
import Upstream

extension PushOutcome {
    /// What a call that got no answer means.
    init(_ error: UpstreamError) {
        switch error {
        case .paused(let until, _), .shareUsed(let until), .circuitOpen(let until): self = .wait(until: until, nil)
        case .connectionFailed, .timedOut, .responseTooLarge, .tooLate, .invalidBaseURL, .invalidRequest:
            self = .unreachable(error.description)
        }
    }
}
