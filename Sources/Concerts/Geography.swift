import Foundation
import Model

extension GeoPoint {
    /// Kilometres along the Earth's surface, on a sphere of mean radius (wrong by 0.5 % at most).
    package func distance(to other: GeoPoint) -> Double {
        let radians = Double.pi / 180
        let latitudes = (latitude * radians, other.latitude * radians)
        let halfTurn = sin((other.longitude - longitude) * radians / 2)
        let halfRise = sin((latitudes.1 - latitudes.0) / 2)
        let chord = halfRise * halfRise + cos(latitudes.0) * cos(latitudes.1) * halfTurn * halfTurn
        return 2 * 6_371.0088 * asin(min(1, chord.squareRoot()))
    }

    /// The middle of places of one city, which a few misplaced ones do not move: the median of the
    /// latitudes and that of the longitudes. `nil` for no places.
    package static func median(of points: [GeoPoint]) -> GeoPoint? {
        guard let first = points.first else { return nil }
        let latitude = median(points.map(\.latitude))
        // Measured from one of the points, so that a city on the 180th meridian stays in one piece.
        let longitude = first.longitude + median(points.map { turned($0.longitude - first.longitude) })
        return GeoPoint(latitude: latitude, longitude: turned(longitude))
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// The same direction within −180…180.
    private static func turned(_ degrees: Double) -> Double {
        degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
    }
}
