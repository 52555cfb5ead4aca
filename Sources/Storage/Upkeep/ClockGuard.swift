import Model

/// Judges whether the wall clock may be far ahead, in which case nothing may be deleted for its age.
///
/// What it goes by is the newest moment that was stored before this start: now must lie no more than
/// ``tolerance`` beyond it and the time since the start. A clock that is further ahead is believed when it has been so
/// for ``holdingTime`` by the clock that nobody can set. So a start after a long rest, or with an old backup, waits
/// for that long, and so does a machine whose clock is wrong until it is set.
///
/// A clock that is set back is believed at once, and lowers what is stored: nothing is deleted too early by that, and a
/// moment that a wrong clock once stored does not vouch for another wrong clock years later.
package struct ClockGuard: Sendable {
    /// How far beyond what is known the clock may be.
    package static let tolerance = Duration.seconds(86_400)
    /// How long a clock that is further ahead has to stay so.
    package static let holdingTime = Duration.seconds(3_600)
    /// The stored moment is written when now is so far from it.
    package static let writeInterval = Duration.seconds(3_600)

    /// What became of a look at the clocks.
    package struct Verdict: Equatable, Sendable {
        /// `nil`: nothing may be deleted for its age.
        package var time: PruningTime?
        /// What is to be stored as the newest moment.
        package var store: Timestamp?
        /// What an operator is told.
        package var change: Change?
    }

    package enum Change: Equatable, Sendable {
        /// Pruning waits, for ``holdingTime`` unless the clock is set: it is so far ahead of what is known.
        case doubted(ahead: Duration)
        /// The clock was set right, or has held: pruning goes on.
        case trusted
    }

    private struct Doubt {
        var since: MonotonicInstant
        /// Of the least that the clock was ahead meanwhile.
        var offset: Int64
    }

    /// The newest moment as it is stored.
    private var stored: Timestamp?
    /// Wall clock less clock since the boot, in microseconds, as it is believed to be; `nil` before the first look.
    private var trustedOffset: Int64?
    private var doubt: Doubt?

    /// - Parameter stored: the newest moment that was stored before this start; `nil` in a new database, in which there
    ///   is nothing to delete.
    package init(stored: Timestamp?) {
        self.stored = stored
    }

    /// Looks at the clocks.
    package mutating func look(_ now: Timestamp, at instant: MonotonicInstant) -> Verdict {
        let offset = now.microseconds - instant.microseconds
        let trusted = trustedOffset ?? (stored ?? now).microseconds - instant.microseconds
        var change: Change?
        if offset <= trusted + Self.tolerance.microseconds {
            trustedOffset = min(trusted, offset)
            if doubt != nil { change = .trusted }
        } else {
            trustedOffset = trusted
            // One that runs ahead even further than it was is another wrong time, and has to hold for itself.
            if var doubt, offset <= doubt.offset + Self.tolerance.microseconds {
                doubt.offset = min(doubt.offset, offset)
                self.doubt = doubt
                guard doubt.since.duration(to: instant) >= Self.holdingTime else { return Verdict() }
            } else {
                doubt = Doubt(since: instant, offset: offset)
                return Verdict(change: .doubted(ahead: .microseconds(offset - trusted)))
            }
            trustedOffset = offset
            change = .trusted
        }
        doubt = nil
        return Verdict(time: PruningTime(trusted: now), store: isFarFromStored(now) ? now : nil, change: change)
    }

    /// `moment` is stored.
    package mutating func hasStored(_ moment: Timestamp) {
        stored = moment
    }

    private func isFarFromStored(_ now: Timestamp) -> Bool {
        guard let stored else { return true }
        let distance = stored.duration(to: now)
        return max(distance, .zero - distance) >= Self.writeInterval
    }
}
