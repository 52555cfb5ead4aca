import Contracts
import JobStorage

extension CompletionHook {
    /// Fails the targets that are still waiting for a lookup, in the transaction that ends the lookup. A lookup that
    /// succeeds leaves none waiting. A failed lookup cannot be requeued, because people have already been shown that
    /// there is no answer, and may have searched again.
    package static let concertLookups: [CompletionHook] = [
        TypedJobKind.concertsLookup.kind, TypedJobKind.concertsNearby.kind,
    ].map {
        CompletionHook(kind: $0.name) { job, transaction in
            try ConcertSearches.failWaiters(ofLookup: job.id, in: transaction)
            try transaction.concerts.failRefreshes(ofLookup: job.id, .upstreamError)
        }
    }
}
