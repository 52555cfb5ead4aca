extension WorkerDomain {
    /// Looks up concerts at Ticketmaster.
    package static let concerts = WorkerDomain { process in
        let sources = try LookupSources(process)
        return [
            .concertsLookup(sources),
            .concertsNearby(
                sources, database: process.database, cityNames: try process.configuration.cityNames),
        ]
    }
}
