import Foundation
import Model

extension GeoPoint {
    /// The great-circle distance in kilometers, by the haversine formula with the Earth's mean radius; the error is at
    /// most 0.5 %.
    package func distance(to other: GeoPoint) -> Double {
        let radians = Double.pi / 180
        let latitudes = (latitude * radians, other.latitude * radians)
        let halfTurn = sin((other.longitude - longitude) * radians / 2)
        let halfRise = sin((latitudes.1 - latitudes.0) / 2)
        let chord = halfRise * halfRise + cos(latitudes.0) * cos(latitudes.1) * halfTurn * halfTurn
        return 2 * 6_371.0088 * asin(min(1, chord.squareRoot()))
    }

    /// The medians of the latitudes and longitudes of places in one city. A few wrong locations hardly affect them.
    ///
    /// - Returns: `nil` without points.
    package static func median(of points: [GeoPoint]) -> GeoPoint? {
        guard !points.isEmpty else { return nil }
        let longitudes = points.map(\.longitude)
        // A city on the 180th meridian has longitudes of both signs. Adding 360° to the negative ones brings them
        // together.
        let isTorn = (longitudes.max() ?? 0) - (longitudes.min() ?? 0) > 180
        let longitude = median(isTorn ? longitudes.map { $0 < 0 ? $0 + 360 : $0 } : longitudes)
        return GeoPoint(
            latitude: median(points.map(\.latitude)), longitude: longitude > 180 ? longitude - 360 : longitude)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
