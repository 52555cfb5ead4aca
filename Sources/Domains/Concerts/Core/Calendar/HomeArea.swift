import Model
import Storage

/// A home city with what is around it.
package struct HomeArea: Sendable {
    private let city: HomeCity
    /// `nil` while no lookup has found where the city is. Then only shows in the city itself are in the area.
    private let point: GeoPoint?
    private let cityNames: CityNames

    package init(_ city: HomeCity, cityNames: CityNames, in reader: some SQLReader) throws {
        self.city = city
        self.cityNames = cityNames
        // A point that a lookup would no longer use is still where the city is.
        point = try reader.concerts.city(key: city.key, checkedAfter: Timestamp(microseconds: 0))?.point
    }

    /// Whether a venue is in the city, or within ``ConcertSearches/standardRadius`` of it.
    func contains(_ venue: ConcertVenue) -> Bool {
        if city.matches(venue, names: cityNames) { return true }
        guard let point, let location = venue.location, city.agrees(with: venue) else { return false }
        return location.distance(to: point) <= Double(ConcertSearches.standardRadius)
    }
}
