import Model

/// Decides whether the wall clock can be trusted. While it may be far ahead, nothing may be deleted because of its age.
///
/// The reference is the newest moment that was stored before this start. The clock is trusted while it is at most
/// ``tolerance`` ahead of that moment plus the monotonic time since the first look. A clock that is further ahead is
/// trusted once that has lasted for ``holdingTime`` by the monotonic clock. So a start after a long break or with an
/// old backup waits for that time, and a machine with a wrong clock waits until it is corrected.
///
/// A clock that is set back is trusted at once, and the stored moment follows it. That deletes nothing too early, and a
/// moment that a wrong clock once stored does not make another wrong clock trusted years later.
package struct ClockGuard: Sendable {
    /// How far ahead of the reference a trusted clock may be.
    package static let tolerance = Duration.seconds(86_400)
    /// The time after which a clock that is further ahead is trusted.
    package static let holdingTime = Duration.seconds(3_600)
    /// The stored moment is updated once the clock differs from it by this much.
    package static let writeInterval = Duration.seconds(3_600)

    /// The result of a look at the clocks.
    package struct Verdict: Equatable, Sendable {
        /// The time to delete by; `nil` if nothing may be deleted because of its age.
        package var time: PruningTime?
        /// The moment to store; `nil` if the stored one is recent.
        package var store: Timestamp?
        /// What to log; `nil` for nothing.
        package var change: Change?
    }

    package enum Change: Equatable, Sendable {
        /// The clock is too far ahead of the reference. Pruning waits for ``holdingTime``, or until the clock is set.
        case doubted(ahead: Duration)
        /// The clock was corrected, or ``holdingTime`` is over. Pruning continues.
        case trusted
    }

    private struct Uncertainty {
        var since: MonotonicInstant
        /// The smallest offset of the clock since then, in microseconds.
        var offset: Int64
    }

    /// The newest moment in the database.
    private var stored: Timestamp?
    /// The trusted offset of the wall clock from the monotonic clock, in microseconds; `nil` before the first look.
    private var trustedOffset: Int64?
    private var doubt: Uncertainty?

    /// - Parameter stored: the newest moment that was stored before this start; `nil` in a new database, which has
    ///   nothing to delete.
    package init(stored: Timestamp?) {
        self.stored = stored
    }

    /// Compares the clocks.
    ///
    /// - Parameters:
    ///   - now: the wall clock.
    ///   - instant: the monotonic clock at the same moment.
    package mutating func look(_ now: Timestamp, at instant: MonotonicInstant) -> Verdict {
        let offset = now.microseconds - instant.microseconds
        let trusted = trustedOffset ?? (stored ?? now).microseconds - instant.microseconds
        var change: Change?
        if offset <= trusted + Self.tolerance.microseconds {
            trustedOffset = min(trusted, offset)
            if doubt != nil { change = .trusted }
        } else {
            trustedOffset = trusted
            // A clock that jumps further ahead shows another wrong time: its holding time starts over.
            if var doubt, offset <= doubt.offset + Self.tolerance.microseconds {
                doubt.offset = min(doubt.offset, offset)
                self.doubt = doubt
                guard doubt.since.duration(to: instant) >= Self.holdingTime else { return Verdict() }
            } else {
                doubt = Uncertainty(since: instant, offset: offset)
                return Verdict(change: .doubted(ahead: .microseconds(offset - trusted)))
            }
            trustedOffset = offset
            change = .trusted
        }
        doubt = nil
        return Verdict(time: PruningTime(trusted: now), store: isFarFromStored(now) ? now : nil, change: change)
    }

    /// Call it when `moment` was stored.
    package mutating func hasStored(_ moment: Timestamp) {
        stored = moment
    }

    private func isFarFromStored(_ now: Timestamp) -> Bool {
        guard let stored else { return true }
        let distance = stored.duration(to: now)
        return max(distance, .zero - distance) >= Self.writeInterval
    }
}
