import Model

/// The present on the clock of this boot, and at the earliest on those of earlier boots, whose times grants still have.
package struct PermitClock: Sendable, Equatable {
    /// For how long after its start a machine's wall clock is not believed, since it may have to be set from the network
    /// first. At the first look after that it is, once: from then on this boot's own clock counts.
    package static let wallClockDelay = Duration.seconds(3_600)

    /// A boot that has ended, as far as its last look at its grants tells.
    package struct EarlierBoot: Sendable, Equatable {
        package let boot: String
        /// On its own clock, had it gone on.
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

    /// The present on the clock of a boot that was last seen at `instant`, when the wall clock said `time`.
    ///
    /// At least as much time has passed since then as since this boot began. The wall clock may say more, and is
    /// believed ``wallClockDelay`` after the start. One that was set back says less, and changes nothing.
    static func present(
        ofBootSeenAt instant: MonotonicInstant, _ time: Timestamp, now: MonotonicInstant, wallNow: Timestamp
    ) -> MonotonicInstant {
        let sinceStart = Duration.microseconds(now.microseconds)
        guard sinceStart >= wallClockDelay else { return instant.advanced(by: sinceStart) }
        return instant.advanced(by: max(sinceStart, time.duration(to: wallNow)))
    }

    /// Whether the wall clock may be believed by now.
    var trustsWallClock: Bool { now.microseconds >= Self.wallClockDelay.microseconds }

    /// `time` of this boot on the clock of an earlier one.
    package func moment(_ time: MonotonicInstant, on earlier: EarlierBoot) -> MonotonicInstant {
        earlier.present.advanced(by: now.duration(to: time))
    }
}
