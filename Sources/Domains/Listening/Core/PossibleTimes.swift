import Model

/// When a listen can have begun: not before the first program recorded listens, and not much later than now. A listen
/// at any other time did not happen then, so stats ignore it.
package enum PossibleTimes {
    /// 2002-10-01 UTC, when Last.fm's predecessor began.
    package static let earliest = Timestamp(microseconds: 1_033_430_400_000_000)
    /// A day, since clocks may be wrong and files may have local times.
    private static let ahead = Duration.seconds(86_400)

    /// The end of the possible times, exclusive.
    package static func end(at now: Timestamp) -> Timestamp { now.advanced(by: ahead) }

    /// The possible times, in seconds since 1970.
    static func seconds(at now: Timestamp) -> Range<Int64> {
        Range(from: earliest.microseconds / 1_000_000, upTo: end(at: now).microseconds / 1_000_000)
    }
}
