import Contracts
import Jobs

/// Limits how long people's diagnostic jobs may occupy a worker's slot without doing anything. Administrators, who test
/// installations with them, may use everything that the kinds allow.
enum DiagnosticsLimits {
    /// The longest pause of one run, in milliseconds.
    static let longestPause = 5_000
    /// The most steps. A step without a pause is a commit, and a worker makes some hundreds of them in a second.
    static let mostSteps = 1_000

    /// Checks a job that is submitted by a person who is not an administrator.
    ///
    /// - Parameter payload: the field of the job's payload; `nil` if the request has none.
    /// - Throws: a ``Problem``, `403 adminOnly`.
    static func check(_ job: NewJob, payload: RequestField?) throws {
        guard let payload else { return }
        switch job.kind.name {
        case TypedJobKind.diagnosticsEcho.kind.name:
            let pause = EchoPayload(payload: job.payload)?.sleepMs ?? 0
            guard pause <= longestPause else {
                throw adminOnly(
                    "\(payload.path).sleepMs",
                    "a pause of \(pause) ms is too long: a pause of more than \(longestPause) ms")
            }
        case TypedJobKind.diagnosticsSteps.kind.name:
            // A payload that cannot be decoded becomes a dead letter without a pause.
            guard let steps = try? TypedJobKind.diagnosticsSteps.payload(from: job.payload, version: job.kind.version)
            else { return }
            guard steps.steps <= mostSteps, steps.steps * (steps.stepMs ?? 0) <= longestPause else {
                throw adminOnly(
                    payload.path,
                    "\(steps.steps) steps with \(steps.stepMs ?? 0) ms before each take too long: a job with more than "
                        + "\(mostSteps) steps, or more than \(longestPause) ms of pauses in total,")
            }
        default:
            break
        }
    }

    private static func adminOnly(_ path: String, _ what: String) -> Problem {
        Problem(
            .forbidden, code: .adminOnly, title: "Only for administrators",
            detail: "\(path): \(what) is only for administrators of this installation.", field: path)
    }
}
