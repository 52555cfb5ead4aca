import Logging
import Model
import Upstream

/// Logs upstream calls: what the operator has to correct as errors, temporary failures as warnings, the rest at debug
/// level.
package struct UpstreamLog: Sendable {
    private let logger: Logger

    package init(logger: Logger) {
        self.logger = logger
    }

    /// Logs that no call can be made to an address that was configured or that the provider has named. The reason may
    /// repeat the address, without its query.
    func recordUnusableAddress(_ failure: ProviderFailure) {
        logger.error(
            "an upstream's address cannot be used",
            metadata: ["provider": "\(failure.provider.rawValue)", "error": "\(failure.cause ?? failure.message)"])
    }

    package func record(_ event: UpstreamEvent) {
        var metadata: Logger.Metadata = ["provider": "\(event.provider)"]
        switch event.kind {
        case .attempted(let attempt):
            metadata["attempt"] = "\(attempt.number)"
            metadata["ms"] = "\(attempt.duration.microseconds / 1_000)"
            metadata["waitedMs"] = "\(attempt.waited.microseconds / 1_000)"
            if let status = attempt.status { metadata["status"] = "\(status)" }
            if let error = attempt.error {
                metadata["error"] = "\(error)"
                switch error {
                case .invalidRequest, .invalidBaseURL:
                    logger.error(
                        "an upstream call cannot be sent; this is an error in Backline or its configuration",
                        metadata: metadata)
                default: logger.warning("upstream call failed", metadata: metadata)
                }
            } else {
                logger.debug("upstream call", metadata: metadata)
            }
        case .circuitOpened(_, let until):
            metadata["until"] = "\(until)"
            logger.warning("too many upstream calls failed: calls to this service are paused", metadata: metadata)
        case .circuitClosed:
            logger.notice("the upstream has recovered: calls are made again", metadata: metadata)
        case .keyPaused(let duration, let reason):
            metadata["for"] = "\(duration.map { "\($0)" } ?? "until the quota resets")"
            metadata["reason"] = "\(reason.rawValue)"
            logger.warning("the upstream asked for a pause", metadata: metadata)
        case .retryBudgetSpent:
            logger.warning("an upstream call was not retried: there were too many retries recently", metadata: metadata)
        case .permitGranted, .permitMissed:
            logger.trace("\(event.kind)", metadata: metadata)
        }
    }
}
