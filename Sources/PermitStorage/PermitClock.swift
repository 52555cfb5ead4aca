import Model

/// The present on the clock of this boot, and the earliest possible present on the clocks of earlier boots, by which
/// some grants still count.
package struct PermitClock: Sendable, Equatable {
    /// How long after a machine's start its wall clock is not trusted: it may have to be set from the network first.
    /// The first look after that trusts it once; from then on only the clock of this boot counts.
    package static let wallClockDelay = Duration.seconds(3_600)

    /// A boot that has ended, with grants that may still count.
    package struct EarlierBoot: Sendable, Equatable {
        package let boot: String
        /// The earliest time that its clock would show now.
        package let present: MonotonicInstant
    }

    package let boot: String
    package let now: MonotonicInstant
    package let earlier: [EarlierBoot]

    package init(boot: String, now: MonotonicInstant, earlier: [EarlierBoot] = []) {
        self.boot = boot
        self.now = now
        self.earlier = earlier
    }

    /// The present on the clock of an earlier boot.
    ///
    /// At least as much time has passed since then as since this boot began. The wall clock may show more, and is used
    /// if it could be trusted both times: ``wallClockDelay`` after the start of that boot and of this one. A wall clock
    /// that was set back shows less, and changes nothing.
    static func present(
        ofBootSeenAt instant: MonotonicInstant, _ time: Timestamp, now: MonotonicInstant, wallNow: Timestamp
    ) -> MonotonicInstant {
        let sinceStart = Duration.microseconds(now.microseconds)
        let trustedFrom = MonotonicInstant(microseconds: wallClockDelay.microseconds)
        guard now >= trustedFrom, instant >= trustedFrom else { return instant.advanced(by: sinceStart) }
        return instant.advanced(by: max(sinceStart, time.duration(to: wallNow)))
    }

    /// Whether the wall clock is trusted now.
    var trustsWallClock: Bool { now.microseconds >= Self.wallClockDelay.microseconds }

    /// A moment of this boot on the clock of an earlier boot.
    package func moment(_ time: MonotonicInstant, on earlier: EarlierBoot) -> MonotonicInstant {
        earlier.present.advanced(by: now.duration(to: time))
    }
}
