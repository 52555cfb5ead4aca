import Contracts
import Jobs

/// How long people's jobs of diagnostics may hold a place of a worker while they do nothing. Administrators, who see
/// with them what an installation survives, may ask for all that the kinds allow.
enum DiagnosticsLimits {
    /// Milliseconds of one run.
    static let longestPause = 5_000
    /// A step without a pause is a commit, of which a worker makes some hundred in a second.
    static let mostSteps = 1_000

    /// - Parameter payload: the job's; `nil` where the request has none.
    static func check(_ job: NewJob, payload: RequestField?) throws {
        guard let payload else { return }
        switch job.kind.name {
        case TypedJobKind.diagnosticsEcho.kind.name:
            let pause = EchoPayload(payload: job.payload)?.sleepMs ?? 0
            guard pause <= longestPause else {
                throw adminOnly(
                    "\(payload.path).sleepMs", "a pause of \(pause) ms holds a worker's place; more than \(longestPause) ms")
            }
        case TypedJobKind.diagnosticsSteps.kind.name:
            // What cannot be read becomes a dead letter, and holds nothing.
            guard let steps = try? TypedJobKind.diagnosticsSteps.payload(from: job.payload, version: job.kind.version)
            else { return }
            guard steps.steps <= mostSteps, steps.steps * (steps.stepMs ?? 0) <= longestPause else {
                throw adminOnly(
                    payload.path,
                    "\(steps.steps) steps with \(steps.stepMs ?? 0) ms before each hold a worker's place; more than "
                        + "\(mostSteps) steps, or than \(longestPause) ms of pauses together,")
            }
        default:
            break
        }
    }

    private static func adminOnly(_ path: String, _ what: String) -> Problem {
        Problem(
            .forbidden, code: "adminOnly", title: "For administrators",
            detail: "\(path): \(what) is for administrators of this installation.", field: path)
    }
}
