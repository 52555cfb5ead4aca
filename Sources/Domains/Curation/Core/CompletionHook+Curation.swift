import Contracts
import JobStorage
import Model

extension CompletionHook {
    /// Fails the lists of a job that failed or was cancelled.
    package static let curation = [TypedJobKind.curationMake.kind, TypedJobKind.curationRecommend.kind].map { kind in
        CompletionHook(kind: kind.name) { job, transaction in
            guard job.ending != .succeeded, job.ending != .erased else { return }
            var error = CurationError(code: "cancelled", message: "The list was cancelled.")
            if case .failed(let code) = job.ending {
                error = CurationError(
                    code: code,
                    message: job.ending.isQuarantined
                        ? "The program that makes lists stopped repeatedly while making this one, so it is no longer "
                            + "tried. Do not ask for it again until whoever runs this Backline has found the cause in "
                            + "the worker's log."
                        : "The list could not be made (\(code)). Ask for it again.")
            }
            try transaction.curation.failLists(ofJob: job.id, userID: job.userID, error, now: .now())
        }
    }
}
