import Concerts
import Model
import Testing

@Suite("Places on Earth")
struct GeographyTests {
    private func point(_ latitude: Double, _ longitude: Double) throws -> GeoPoint {
        try #require(GeoPoint(latitude: latitude, longitude: longitude))
    }

    @Test("Distances are in kilometers along the surface")
    func distanceInKilometers() throws {
        let prague = try point(50.0875, 14.4214)
        let brno = try point(49.1951, 16.6068)
        #expect(abs(prague.distance(to: brno) - 185) < 2)
        #expect(prague.distance(to: prague) == 0)
        #expect(abs(try point(0, 179.5).distance(to: try point(0, -179.5)) - 111.2) < 0.2)
        #expect(abs(try point(90, 0).distance(to: try point(-90, 0)) - 20_015) < 1)
    }

    @Test("The median ignores a few misplaced venues")
    func medianIgnoresOutliers() throws {
        #expect(GeoPoint.median(of: []) == nil)
        let one = try point(50, 14)
        #expect(GeoPoint.median(of: [one]) == one)
        let city = try [point(50.1, 14.5), point(50.2, 14.4), point(50.0, 14.3), point(33.6, -95.5)]
        let middle = try #require(GeoPoint.median(of: city))
        #expect(abs(middle.latitude - 50.05) < 1e-9)
        #expect(abs(middle.longitude - 14.35) < 1e-9)
        #expect(GeoPoint.median(of: city.reversed()) == middle)
    }

    @Test("A city on the 180th meridian is not split")
    func cityOnTheMeridian() throws {
        let middle = try #require(
            GeoPoint.median(of: [point(-16, 179.9), point(-16, -179.8), point(-16, -179.9)]))
        #expect(abs(abs(middle.longitude) - 179.9) < 1e-6)
        #expect(middle.longitude < 0)
    }

    @Test("Impossible coordinates are refused")
    func impossibleCoordinates() {
        #expect(GeoPoint(latitude: 91, longitude: 0) == nil)
        #expect(GeoPoint(latitude: 0, longitude: .nan) == nil)
        #expect(GeoPoint(latitude: 0, longitude: -181) == nil)
    }
}
