import Concerts
import Contracts
import Jobs
import Model
import Storage

extension JobHandler {
    /// Handles `concerts.lookup`.
    static func concertsLookup(_ sources: LookupSources, cityNames: CityNames) -> JobHandler {
        .calling(.concertsLookup) { payload, context in
            let jobID = context.job.run.jobID
            let source = try await sources.source(
                forJob: jobID, person: context.person, subjects: payload.artists.map(\.key))
            let answers = try await ConcertLookup(source: source).run(payload).map { $0.grouped(names: cityNames) }
            let result = ConcertLookupResult(
                artists: answers.count, events: answers.reduce(0) { $0 + $1.events.count })
            return JobResult(result) { transaction, _ in
                let now = Timestamp.now()
                try source.failRefusedPeople(in: transaction)
                for answer in answers {
                    try answer.store(jobID: jobID, cityNames: cityNames, now: now, in: transaction)
                }
            }
        }
    }

    /// Handles `concerts.nearby`.
    static func concertsNearby(
        _ sources: LookupSources, database: Database, cityNames: CityNames
    ) -> JobHandler {
        .calling(.concertsNearby) { payload, context in
            let jobID = context.job.run.jobID
            let source = try await sources.source(
                forJob: jobID, person: context.person, subjects: [payload.key])
            let lookup = NearbyLookup(source: source, database: database, cityNames: cityNames)
            var result = try await lookup.run(payload)
            result.answer = result.answer.grouped(names: cityNames)
            let found = result
            return JobResult(NearbyLookupResult(events: found.answer.events.count)) { transaction, _ in
                try source.failRefusedPeople(in: transaction)
                try found.store(payload, jobID: jobID, cityNames: cityNames, in: transaction)
            }
        }
    }
}
