import Model
import Upstream

extension UpstreamError {
    /// Why there was no answer, for somebody who waits for one.
    ///
    /// - Parameter service: whose answer, as people call it.
    func sentence(service: String) -> String {
        switch self {
        case .connectionFailed, .timedOut:
            "\(service) could not be reached. See that this Backline has a network, and try again."
        case .paused(let until, _): "\(service) asked for a pause until \(until). Try again after that."
        case .circuitOpen: "\(service) has had trouble lately. Try again in a minute."
        case .responseTooLarge, .invalidBaseURL, .invalidRequest:
            "\(service)'s answer could not be used. Try again later."
        }
    }

    /// Whole seconds until trying again makes sense, where the service has said when.
    var retryAfter: Int? {
        guard case .paused(let until, _) = self else { return nil }
        return max(1, Int(Timestamp.now().duration(to: until).components.seconds))
    }
}
