import Contracts
import Domains
import JobStorage
import Storage

extension Domain {
    /// Concerts of artists, and around cities.
    package static let concerts = Domain(
        "concerts", migrations: [.concertsBaseline, .concertsNews, .concertsEndedWatches, .concertsCalendars],
        personalTables: .concerts,
        jobKinds: [TypedJobKind.concertsLookup.kind, TypedJobKind.concertsNearby.kind],
        completionHooks: CompletionHook.concertLookups, notifications: .concerts, settings: [ConcertSettings.self])
}
