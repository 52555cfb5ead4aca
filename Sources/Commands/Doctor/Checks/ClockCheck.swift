import CommandSupport
import Foundation
import JobStorage
import Model
import Platform
import Storage

extension DoctorCheck {
    /// The wall clock, and the clock since boot, which leases and permits use.
    static let clock = DoctorCheck("clock") { context in
        let (wall, instant) = (Timestamp.now(), MonotonicInstant.now())
        var findings = [wallFinding(wall, latest: try await context.read { try $0.jobs.latestKnownMoment() } ?? nil)]
        let newest = try await context.read { try $0.newestMoment() } ?? nil
        if let ahead = aheadFinding(wall, newest: newest) { findings.append(ahead) }
        if BootID.current == "unknown-boot" {
            findings.append(
                .problem(
                    "This boot has no id (/proc/sys/kernel/random/boot_id cannot be read).",
                    "Mount /proc: without the id, permits from before a reboot count as current ones."))
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

    /// - Parameter latest: the latest time stored with a job.
    static func wallFinding(_ now: Timestamp, latest: Timestamp?) -> Finding {
        // Earlier than any release of Backline.
        if now < Timestamp(rfc3339: "2025-01-01T00:00:00Z") ?? now {
            return .problem("The clock shows \(HumanTime.text(now)) UTC.", setClock)
        }
        if let latest, now.duration(to: latest) > .seconds(60) {
            return .problem(
                "The clock shows \(HumanTime.text(now)) UTC, but the database contains a later time, "
                    + "\(HumanTime.text(latest)): the clock is wrong, was wrong then, or was set back.", setClock)
        }
        return .ok("\(HumanTime.text(now)) UTC.")
    }

    /// The warning that a gateway started now would not prune, because the clock is far ahead of the last run.
    ///
    /// - Parameter newest: the newest time that the gateway's upkeep has stored.
    static func aheadFinding(_ now: Timestamp, newest: Timestamp?) -> Finding? {
        guard let newest, newest.duration(to: now) > ClockGuard.tolerance else { return nil }
        return .warning(
            "The clock is \(HumanTime.text(newest.duration(to: now))) ahead of the newest time that the gateway has "
                + "stored, so the gateway deletes nothing by age until it has run for an hour with this clock.",
            "Do nothing if the gateway was stopped or an older backup was restored. If the clock is wrong, set it.")
    }

    /// A lease ends at most `jobs.leaseSeconds` from now, unless a process with another clock wrote it.
    static func leaseFinding(_ furthest: MonotonicInstant, now: MonotonicInstant, lease: Duration) -> Finding? {
        guard now.advanced(by: lease * 2 + .seconds(60)) < furthest else { return nil }
        return .problem(
            "A job's lease ends \(HumanTime.text(now.duration(to: furthest))) from now by the clock since boot, so a "
                + "process with another clock wrote it.",
            "Run all processes on this machine and in its time namespace. After a reboot, start the gateway.")
    }

    private static let setClock = "Set the clock and keep it synchronized: timedatectl set-ntp true"
}
