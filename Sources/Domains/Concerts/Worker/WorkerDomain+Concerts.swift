import Concerts
import Workers

extension WorkerDomain {
    /// Looks up concerts at Ticketmaster.
    package static let concerts = WorkerDomain { process in
        let sources = try LookupSources(process)
        let cityNames = try process.configuration[ConcertSettings.self].cityNames
        return [
            .concertsLookup(sources, cityNames: cityNames),
            .concertsNearby(sources, database: process.database, cityNames: cityNames),
        ]
    }
}
