import Contracts
import Storage

extension JobEnd {
    /// Lookups tell the searches that still wait for them, in the transaction that ends them: of those that end well
    /// all have been told. It cannot be undone: people have read that there is no answer, and may have searched anew.
    package static let concertLookups: [JobEnd] = [
        TypedJobKind.concertsLookup.kind, TypedJobKind.concertsNearby.kind,
    ].map {
        JobEnd(kind: $0.name) { job, transaction in
            try ConcertSearches.settleWaiters(ofLookup: job.id, in: transaction)
        }
    }
}
