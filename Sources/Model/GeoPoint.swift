/// A place on Earth in degrees (WGS 84).
package struct GeoPoint: Hashable, Sendable, Codable {
    /// The latitude, −90…90, north positive.
    package let latitude: Double
    /// The longitude, −180…180, east positive.
    package let longitude: Double

    /// `nil` when a value is not finite or out of range.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}
