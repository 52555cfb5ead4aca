import Contracts
import Jobs
import Upstream

extension JobHandler {
    /// A handler that makes its upstream calls in the name of the job's person: calls that share a key are served round
    /// robin by person.
    package static func calling<Payload, Result>(
        _ kind: TypedJobKind<Payload, Result>,
        run: @escaping @Sendable (Payload, JobContext) async throws -> JobResult<Result>
    ) -> JobHandler {
        JobHandler(kind) { payload, context in
            try await UpstreamRequest.$currentPerson.withValue(context.person) {
                try await run(payload, context)
            }
        }
    }
}
