import Concerts
import Contracts
import Jobs
import Model
import Storage

extension JobHandler {
    /// Handles `concerts.lookup`.
    package static func concertsLookup(_ sources: LookupSources) -> JobHandler {
        .calling(.concertsLookup) { payload, context in
            let jobID = context.job.run.jobID
            let source = try await sources.source(forJob: jobID, person: context.person)
            let answers = try await ConcertLookup(source: source).run(payload)
            let result = ConcertLookupResult(
                artists: answers.count, events: answers.reduce(0) { $0 + $1.events.count })
            return JobResult(result) { transaction, _ in
                let now = Timestamp.now()
                try source.failRefusedPeople(in: transaction)
                for answer in answers { try answer.store(jobID: jobID, now: now, in: transaction) }
            }
        }
    }

    /// Handles `concerts.nearby`.
    package static func concertsNearby(
        _ sources: LookupSources, database: Database, cityNames: CityNames
    ) -> JobHandler {
        .calling(.concertsNearby) { payload, context in
            let jobID = context.job.run.jobID
            let source = try await sources.source(forJob: jobID, person: context.person)
            let lookup = NearbyLookup(source: source, database: database, cityNames: cityNames)
            let result = try await lookup.run(payload)
            return JobResult(NearbyLookupResult(events: result.answer.events.count)) { transaction, _ in
                try source.failRefusedPeople(in: transaction)
                try result.store(payload, jobID: jobID, in: transaction)
            }
        }
    }
}
