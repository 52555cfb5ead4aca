import Foundation

/// A circle on the globe, or no restriction.
struct SearchArea: Sendable, Equatable {
    enum Unit: String, Sendable {
        case miles, km

        var kilometers: Double { self == .miles ? 1.609_344 : 1 }
    }

    var point: GeoPoint?
    /// The radius in ``unit``; without a point it has no effect, as on the real service.
    var radius: Int?
    /// Miles, which surprises most of the world.
    var unit = Unit.miles

    init(_ target: RequestTarget) throws(Refusal) {
        if let text = target.text("geoPoint") {
            guard text.count <= 9, let point = Geohash.decode(text) else {
                throw .value(of: "geoPoint", allowed: "a geohash of up to 9 characters")
            }
            self.point = point
        } else if let text = target.text("latlong") {
            let parts = text.split(separator: ",").map { Double($0.trimmingCharacters(in: .whitespaces)) }
            guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
                (-90...90).contains(latitude), (-180...180).contains(longitude)
            else { throw .value(of: "latlong", allowed: "latitude,longitude") }
            point = GeoPoint(latitude: latitude, longitude: longitude)
        }
        if let text = target.text("radius") {
            guard let value = Int(text), value > 0 else { throw .value(of: "radius", allowed: "a whole number") }
            radius = value
        }
        if let text = target.text("unit") {
            guard let unit = Unit(rawValue: text.lowercased()) else { throw .value(of: "unit", allowed: "miles, km") }
            self.unit = unit
        }
    }

    /// The distance to a place in ``unit``; `nil` if either side has no point.
    func distance(to place: GeoPoint?) -> Double? {
        guard let point, let place else { return nil }
        return point.kilometers(to: place) / unit.kilometers
    }

    /// Whether a place is in the circle; true for every place if no circle was requested.
    func contains(_ place: GeoPoint?) -> Bool {
        guard point != nil, let radius else { return true }
        return distance(to: place).map { $0 <= Double(radius) } ?? false
    }
}

extension GeoPoint {
    /// The distance along the surface of a sphere with a radius of 6,371 km.
    func kilometers(to other: GeoPoint) -> Double {
        let radians = { (degrees: Double) in degrees * .pi / 180 }
        let half = { (angle: Double) in sin(angle / 2) * sin(angle / 2) }
        let chord =
            half(radians(other.latitude - latitude))
            + cos(radians(latitude)) * cos(radians(other.latitude)) * half(radians(other.longitude - longitude))
        return 2 * 6_371 * asin(min(1, chord.squareRoot()))
    }
}

/// Points as interleaved bits in base 32 (Niemeyer 2008).
enum Geohash {
    private static let alphabet = Array("0123456789bcdefghjkmnpqrstuvwxyz")

    /// The center of the cell; `nil` if a character is not one of the 32.
    static func decode(_ text: String) -> GeoPoint? {
        var latitude = -90.0...90.0
        var longitude = -180.0...180.0
        var isLongitude = true
        for character in text.lowercased() {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            for bit in stride(from: 4, through: 0, by: -1) {
                let upper = (value >> bit) & 1 == 1
                if isLongitude { longitude = half(longitude, upper) } else { latitude = half(latitude, upper) }
                isLongitude.toggle()
            }
        }
        return GeoPoint(
            latitude: (latitude.lowerBound + latitude.upperBound) / 2,
            longitude: (longitude.lowerBound + longitude.upperBound) / 2)
    }

    private static func half(_ range: ClosedRange<Double>, _ upper: Bool) -> ClosedRange<Double> {
        let middle = (range.lowerBound + range.upperBound) / 2
        return upper ? middle...range.upperBound : range.lowerBound...middle
    }
}
