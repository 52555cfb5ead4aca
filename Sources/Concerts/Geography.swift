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
        guard !points.isEmpty else { return nil }
        let longitudes = points.map(\.longitude)
        // A city on the 180th meridian has longitudes of both signs, far apart; turned to one side they are close.
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
