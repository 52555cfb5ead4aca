import Concerts
import Contracts
import Foundation
import Jobs
import Model
import Storage

extension JobHandler {
    /// `concerts.lookup`: decode, look up, reply.
    package static func concertsLookup(_ sources: LookupSources) -> JobHandler {
        JobHandler(.concertsLookup) { context in
            let payload: ConcertLookupPayload = try context.decodePayload()
            let jobID = context.job.run.jobID
            let (source, refused) = try await sources.source(forJob: jobID)
            let answers = try await ConcertLookup(source: source).run(payload)
            let result = "{\"artists\":\(answers.count),\"events\":\(answers.reduce(0) { $0 + $1.events.count })}"
            return JobOutcome(result: result) { transaction, _ in
                let now = Timestamp.now()
                try refused.fail(jobID: jobID, in: transaction)
                for answer in answers { try answer.store(jobID: jobID, now: now, in: transaction) }
            }
        }
    }

    /// `concerts.nearby`: decode, look up, reply.
    package static func concertsNearby(
        _ sources: LookupSources, database: Database, cityNames: CityNames
    ) -> JobHandler {
        JobHandler(.concertsNearby) { context in
            let payload: NearbyLookupPayload = try context.decodePayload()
            let jobID = context.job.run.jobID
            let (source, refused) = try await sources.source(forJob: jobID)
            let lookup = NearbyLookup(source: source, database: database, cityNames: cityNames)
            let result = try await lookup.run(payload)
            return JobOutcome(result: "{\"events\":\(result.answer.events.count)}") { transaction, _ in
                try refused.fail(jobID: jobID, in: transaction)
                try result.store(payload, jobID: jobID, in: transaction)
            }
        }
    }
}

extension JobContext {
    /// The payload as its kind writes it. One that is not cannot be mended by another attempt.
    func decodePayload<Payload: Decodable>() throws -> Payload {
        do {
            return try JSONDecoder().decode(Payload.self, from: Data(job.payload.utf8))
        } catch {
            throw JobFailure(
                code: "invalidPayload", message: "The payload of \(job.kind) version \(job.version) cannot be read.",
                remedy: .none)
        }
    }
}
