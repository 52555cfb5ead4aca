import Contracts
import JobStorage

extension JobEnd {
    /// Fails the targets that are still waiting for a lookup, in the transaction that ends the lookup. A lookup that
    /// succeeds leaves none waiting. A failed lookup cannot be requeued, because people have already been shown that
    /// there is no answer, and may have searched again.
    package static let concertLookups: [JobEnd] = [
        TypedJobKind.concertsLookup.kind, TypedJobKind.concertsNearby.kind,
    ].map {
        JobEnd(kind: $0.name) { job, transaction in
            try ConcertSearches.settleWaiters(ofLookup: job.id, in: transaction)
        }
    }
}
