import Contracts
import Model
import Storage

/// Finds the concerts around a city.
///
/// Ticketmaster takes a radius only with a point. The point of a city is the median location of
/// the venues that its name brings; it is kept, since cities do not move.
package struct NearbyLookup: Sendable {
    /// How long a city's point is believed.
    static let pointLifetime = Duration.seconds(30 * 86_400)

    /// How many other names of a city are tried when the one that was given does not tell where it lies.
    private static let otherNames = 3

    private let source: ConcertSource
    private let database: Database
    private let cityNames: CityNames

    package init(source: ConcertSource, database: Database, cityNames: CityNames) {
        self.source = source
        self.database = database
        self.cityNames = cityNames
    }

    /// What was found, with the city's point if it was worked out anew.
    package struct Result: Sendable {
        package var answer: ConcertAnswer
        /// `.some(nil)` when the city's venues do not say where they are.
        package var learnedPoint: GeoPoint??

        package func store(_ payload: NearbyLookupPayload, jobID: String, in transaction: WriteTransaction) throws {
            let now = Timestamp.now()
            if let learnedPoint {
                try transaction.concerts.storeCity(key: payload.cityKey, point: learnedPoint, now: now)
            }
            try answer.store(jobID: jobID, now: now, in: transaction)
        }
    }

    /// Trouble is an answer too; only being cancelled, and the database, throw.
    package func run(_ payload: NearbyLookupPayload) async throws -> Result {
        let cutoff = Timestamp.now().advanced(by: .zero - Self.pointLifetime)
        let known = try await database.read { try $0.concerts.city(key: payload.cityKey, checkedAfter: cutoff) }
        do {
            if let point = known?.point {
                return Result(answer: answer(payload, try await source.eventsNear(point, payload.radiusKm)))
            }
            let inCity = try await eventsInCity(payload)
            guard let point = inCity.middle else {
                var result = Result(answer: answer(payload, inCity), learnedPoint: .some(nil))
                if result.answer.gap == nil { result.answer.remark = .radiusIgnored }
                return result
            }
            do {
                return Result(
                    answer: answer(payload, try await source.eventsNear(point, payload.radiusKm)),
                    learnedPoint: point)
            } catch let failure as ProviderFailure {
                var partial = inCity
                partial.gap = failure
                return Result(answer: answer(payload, partial), learnedPoint: point)
            }
        } catch let failure as ProviderFailure {
            return Result(answer: .failed(payload.key, failure))
        }
    }

    /// The events in the city by its name, or else by others of its names: Ticketmaster writes Cologne as Köln.
    private func eventsInCity(_ payload: NearbyLookupPayload) async throws -> ConcertSource.Found {
        var found = try await source.eventsInCity(payload.city)
        for name in otherNames(payload) where found.middle == nil {
            do {
                let more = try await source.eventsInCity(name)
                let known = Set(found.events.map(\.id))
                found.events += more.events.filter { !known.contains($0.id) }
                found.gap = found.gap ?? more.gap
            } catch let failure as ProviderFailure {
                guard !found.events.isEmpty else { throw failure }
                found.gap = found.gap ?? failure
                break
            }
        }
        return found
    }

    private func otherNames(_ payload: NearbyLookupPayload) -> some Sequence<String> {
        let listed = cityNames.names(of: payload.cityKey)
        return (listed.isEmpty ? [payload.cityKey] : listed)
            .filter { $0.lowercased() != payload.city.lowercased() }
            .prefix(Self.otherNames)
    }

    private func answer(_ payload: NearbyLookupPayload, _ found: ConcertSource.Found) -> ConcertAnswer {
        ConcertAnswer(subjectKey: payload.key, attractionID: nil, events: found.events, gap: found.gap)
    }
}

extension ConcertSource.Found {
    /// The middle of the venues; `nil` when none says where it is.
    fileprivate var middle: GeoPoint? { GeoPoint.median(of: events.compactMap { $0.venue?.location }) }
}
