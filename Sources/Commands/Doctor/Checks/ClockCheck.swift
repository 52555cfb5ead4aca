import Foundation
import Model
import Storage

extension DoctorCheck {
    /// The wall clock, which people read, and the clock since the boot, which leases and permits go by.
    static let clock = DoctorCheck("clock") { context in
        let (wall, instant) = (Timestamp.now(), MonotonicInstant.now())
        var findings = [wallFinding(wall, latest: try await context.read { try $0.jobs.latestKnownMoment() } ?? nil)]
        let newest = try await context.read { try $0.newestMoment() } ?? nil
        if let ahead = aheadFinding(wall, newest: newest) { findings.append(ahead) }
        if BootID.current == "unknown-boot" {
            findings.append(
                .problem(
                    "This boot has no id (/proc/sys/kernel/random/boot_id cannot be read).",
                    "Mount /proc: without the id, permits of before a restart are taken for present ones."))
        }
        let leases =
            try await context.read { try $0.jobs.oldestRunningJobs(limit: 200).compactMap(\.leaseExpiresAt) } ?? []
        if let furthest = leases.max() {
            findings.append(
                contentsOf: leaseFinding(furthest, now: instant, lease: context.configuration.jobs.lease).map { [$0] }
                    ?? [])
        }
        return findings
    }

    /// - Parameter latest: the latest moment that the database knows of.
    static func wallFinding(_ now: Timestamp, latest: Timestamp?) -> Finding {
        // No release of Backline is older.
        if now < Timestamp(rfc3339: "2025-01-01T00:00:00Z") ?? now {
            return .problem("The clock says \(HumanTime.text(now)) UTC.", setClock)
        }
        if let latest, now.duration(to: latest) > .seconds(60) {
            return .problem(
                "The clock says \(HumanTime.text(now)) UTC, and the database knows of \(HumanTime.text(latest)): "
                    + "one of them is wrong, or the clock was set back.", setClock)
        }
        return .ok("\(HumanTime.text(now)) UTC.")
    }

    /// What a gateway does that starts now.
    ///
    /// - Parameter newest: the newest moment that its upkeep has stored.
    static func aheadFinding(_ now: Timestamp, newest: Timestamp?) -> Finding? {
        guard let newest, newest.duration(to: now) > ClockGuard.tolerance else { return nil }
        return .warning(
            "The clock is \(HumanTime.text(newest.duration(to: now))) beyond the newest moment that the gateway has "
                + "stored, so it deletes nothing for its age until that has been so for an hour while it runs.",
            "Nothing, if the gateway did not run or an older backup was restored. If the clock is wrong, set it.")
    }

    /// Leases end a lease after now at the latest, unless whoever wrote them has another clock.
    static func leaseFinding(_ furthest: MonotonicInstant, now: MonotonicInstant, lease: Duration) -> Finding? {
        guard now.advanced(by: lease * 2 + .seconds(60)) < furthest else { return nil }
        return .problem(
            "A job's lease ends \(HumanTime.text(now.duration(to: furthest))) from now by the clock since the boot, "
                + "which only another clock can have said.",
            "Run all processes on this machine and in its time namespace; after a restart, start the gateway.")
    }

    private static let setClock = "Set it, and let it be kept right: timedatectl set-ntp true"
}
