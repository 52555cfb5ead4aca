import CommandSupport
import Model
import PermitStorage
import Storage

extension DoctorCheck {
    /// Whether requests to providers can be sent: paused keys, used-up quotas, and permits that are never freed.
    static let permits = DoctorCheck("permits") { context in
        let upstream = context.configuration.upstreams[.ticketmaster]
        let found = try await context.read { reader in
            (try reader.permits.permitStatus(), try reader.permits.permitHorizons())
        }
        guard let (permits, horizons) = found else { return [.ok("There are no permits yet.")] }
        let now = MonotonicInstant.now()
        var findings: [Finding] = []
        for permit in permits {
            let name = "\(permit.provider) (key \(PermitsCommand.credential(of: permit)))"
            let horizon = horizons.first { $0.key == permit.key }?.busyUntil
            if let horizon,
                let stuck = stuckFinding(
                    name: name, horizon: horizon, now: now, timeout: upstream.timeout, window: permit.window)
            {
                findings.append(stuck)
            } else if let pause = permit.pause {
                findings.append(
                    .warning(
                        "\(name) is paused until \(HumanTime.text(pause.until)) UTC: "
                            + "\(TextWidth.printable(pause.reason)).",
                        "The upstream asked for this. The pause ends by itself; until then, searches report it."))
            } else if let quota = permit.quotas.first(where: \.isUsedUpForLong) {
                findings.append(
                    .warning(
                        "\(name) has used \(quota.used) of its \(quota.quota.amount) \(quota.quota.name).",
                        "The quota resets by itself, and searches say when. If the upstream allows more, set "
                            + "upstreams.\(permit.provider).\(quota.quota.name)."))
            } else {
                findings.append(
                    .ok("\(name): \(permit.free) of \(permit.requests) free, \(permit.waiting) calls wait."))
            }
        }
        return findings.isEmpty ? [.ok("There are no permits yet.")] : findings
    }

    /// A permit is busy for at most a second, the request's timeout and a window (docs/permits.md).
    static func stuckFinding(
        name: String, horizon: MonotonicInstant, now: MonotonicInstant, timeout: Duration, window: Duration
    ) -> Finding? {
        // Other processes may have a longer timeout; two minutes is the longest that can be configured.
        let longest = .seconds(1) + max(timeout, .seconds(120)) + window
        guard now.advanced(by: longest) < horizon else { return nil }
        return .problem(
            "A permit of \(name) is taken for another \(HumanTime.text(now.duration(to: horizon))), longer than any "
                + "request lasts.",
            "Restart all workers. If that does not help, the machine's clock since boot went backwards.")
    }
}

extension PermitStatus.Quota {
    /// Whether calls have to wait for a long time. Quotas of an hour or less are available again soon.
    fileprivate var isUsedUpForLong: Bool { used >= quota.amount && quota.window > .seconds(3_600) }
}
