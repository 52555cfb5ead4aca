import Contracts
import Model
import Storage

/// Finds the concerts around a city.
///
/// Ticketmaster accepts a radius only with a point. The point of a city is the median location of the venues that its
/// name finds; it is stored for ``pointLifetime``.
package struct NearbyLookup: Sendable {
    /// How long a city's point is used without being computed again.
    static let pointLifetime = Duration.seconds(30 * 86_400)

    /// How many other names of a city are tried when the given name does not find a venue with a location.
    private static let otherNames = 3

    private let source: any ConcertSource
    private let database: Database
    private let cityNames: CityNames

    package init(source: any ConcertSource, database: Database, cityNames: CityNames) {
        self.source = source
        self.database = database
        self.cityNames = cityNames
    }

    /// The answer, and the city's point if this lookup computed it.
    package struct Result: Sendable {
        package var answer: ConcertAnswer
        /// `.some(nil)` when no venue of the city has a location; `nil` when the stored point was used.
        package var learnedPoint: GeoPoint??

        package func store(
            _ payload: NearbyLookupPayload, jobID: String, cityNames: CityNames = .builtIn,
            in transaction: WriteTransaction
        ) throws {
            let now = Timestamp.now()
            if let learnedPoint {
                try transaction.concerts.storeCity(key: payload.cityKey, point: learnedPoint, now: now)
            }
            try answer.store(jobID: jobID, cityNames: cityNames, now: now, in: transaction)
        }
    }

    /// A provider's failure is also an answer.
    ///
    /// - Throws: `CancellationError`; ``StorageError``.
    package func run(_ payload: NearbyLookupPayload) async throws -> Result {
        let cutoff = Timestamp.now().advanced(by: .zero - Self.pointLifetime)
        let known = try await database.read { try $0.concerts.city(key: payload.cityKey, checkedAfter: cutoff) }
        do {
            if let point = known?.point {
                let found = try await source.find(.eventsNear(point, radiusKm: payload.radiusKm))
                return Result(answer: answer(payload, found))
            }
            let inCity = try await eventsInCity(payload)
            guard let point = inCity.middle else {
                var result = Result(answer: answer(payload, inCity), learnedPoint: .some(nil))
                if result.answer.gap == nil { result.answer.remark = .radiusIgnored }
                return result
            }
            do {
                let found = try await source.find(.eventsNear(point, radiusKm: payload.radiusKm))
                return Result(answer: answer(payload, found), learnedPoint: point)
            } catch let failure as ProviderFailure {
                var partial = inCity
                partial.gap = failure
                return Result(answer: answer(payload, partial), learnedPoint: point)
            }
        } catch let failure as ProviderFailure {
            return Result(answer: .failed(payload.key, failure))
        }
    }

    /// The events in the city by its name and, as long as no venue has a location, by its other names: Ticketmaster
    /// writes Cologne as Köln.
    private func eventsInCity(_ payload: NearbyLookupPayload) async throws -> ConcertQueryResult {
        var found = try await source.find(.eventsInCity(payload.city))
        for name in otherNames(payload) where found.middle == nil {
            do {
                let more = try await source.find(.eventsInCity(name))
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

    private func answer(_ payload: NearbyLookupPayload, _ found: ConcertQueryResult) -> ConcertAnswer {
        ConcertAnswer(
            targetKey: payload.key, attractionID: nil, events: found.events, gap: found.gap, isCut: found.hasMore)
    }
}

extension ConcertQueryResult {
    /// The median location of the venues; `nil` when none has a location.
    fileprivate var middle: GeoPoint? { GeoPoint.median(of: events.compactMap { $0.venue?.location }) }
}
