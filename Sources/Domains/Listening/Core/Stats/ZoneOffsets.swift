import Foundation

/// A time zone as a list of offsets, which gives the local time for a point in time without consulting the zone's rules
/// each time.
struct ZoneOffsets {
    private let starts: [Int64]
    private let offsets: [Int64]
    private var index = 0

    /// - Parameter range: the range in which the offsets are needed, in seconds since 1970.
    init(_ zone: TimeZone, in range: ClosedRange<Int64>) {
        var (starts, offsets) = ([Int64.min], [Int64]())
        var moment = Date(timeIntervalSince1970: Double(range.lowerBound))
        offsets.append(Int64(zone.secondsFromGMT(for: moment)))
        // There are at most two a year, and a few that countries have decreed.
        while starts.count < 2_000, let next = zone.nextDaylightSavingTimeTransition(after: moment),
            next.timeIntervalSince1970 <= Double(range.upperBound)
        {
            starts.append(Int64(next.timeIntervalSince1970))
            offsets.append(Int64(zone.secondsFromGMT(for: next)))
            moment = next
        }
        (self.starts, self.offsets) = (starts, offsets)
    }

    /// The local time, as the seconds since 1970 on a clock without an offset. Fast for times in ascending order.
    mutating func local(_ seconds: Int64) -> Int64 {
        while index + 1 < starts.count, starts[index + 1] <= seconds { index += 1 }
        while index > 0, starts[index] > seconds { index -= 1 }
        return seconds + offsets[index]
    }
}
