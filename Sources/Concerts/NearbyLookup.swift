import Contracts
import Model
import Storage

/// Finds the concerts around a city.
///
/// Ticketmaster takes a radius only with a point. The point of a city is the median location of
/// the venues that its name brings; it is kept, since cities do not move.
package struct NearbyLookup: Sendable {
    /// How long a city's point is believed.
    private static let pointLifetime = Duration.seconds(30 * 86_400)

    private let source: ConcertSource
    private let database: Database

    package init(source: ConcertSource, database: Database) {
        self.source = source
        self.database = database
    }

    /// What was found, with the city's point if it was worked out anew.
    package struct Result: Sendable {
        package var answer: ConcertAnswer
        /// `.some(nil)` when the city's venues do not say where they are.
        package var learnedPoint: GeoPoint??

        package func store(_ payload: NearbyLookupPayload, jobID: String, in transaction: WriteTransaction) throws {
            let now = Timestamp.now()
            if let learnedPoint {
                try transaction.storeConcertCity(key: payload.cityKey, point: learnedPoint, now: now)
            }
            try answer.store(jobID: jobID, now: now, in: transaction)
        }
    }

    /// Trouble is an answer too; only being cancelled, and the database, throw.
    package func run(_ payload: NearbyLookupPayload) async throws -> Result {
        let cutoff = Timestamp.now().advanced(by: .zero - Self.pointLifetime)
        let known = try await database.read { try $0.concertCity(key: payload.cityKey, checkedAfter: cutoff) }
        do {
            if let point = known?.point {
                return Result(answer: answer(payload, try await source.eventsNear(point, payload.radiusKm)))
            }
            var inCity = try await source.eventsInCity(payload.city)
            if inCity.events.isEmpty, payload.cityKey != payload.city.lowercased() {
                // Ticketmaster may know the city by the name it has in the list of names: Praha as Prague.
                inCity = try await source.eventsInCity(payload.cityKey)
            }
            guard let point = GeoPoint.median(of: inCity.events.compactMap { $0.venue?.location }) else {
                var result = Result(answer: answer(payload, inCity), learnedPoint: .some(nil))
                if result.answer.trouble == nil { result.answer.trouble = ConcertTrouble(.radiusIgnored) }
                return result
            }
            do {
                return Result(
                    answer: answer(payload, try await source.eventsNear(point, payload.radiusKm)),
                    learnedPoint: point)
            } catch let trouble as ConcertTrouble {
                var partial = inCity
                partial.gap = trouble
                return Result(answer: answer(payload, partial), learnedPoint: point)
            }
        } catch let trouble as ConcertTrouble {
            return Result(answer: .failed(payload.key, trouble))
        }
    }

    private func answer(_ payload: NearbyLookupPayload, _ found: ConcertSource.Found) -> ConcertAnswer {
        ConcertAnswer(subjectKey: payload.key, attractionID: nil, events: found.events, gap: found.gap)
    }
}
