import Model
import Storage

extension DoctorCheck {
    /// Whether requests may leave: pauses, and permits that nobody gives back.
    static let permits = DoctorCheck("permits") { context in
        let upstream = context.configuration.upstreams[.ticketmaster]
        let found = try await context.read { reader in
            (try reader.permits.permitStatus(), try reader.permits.permitHorizons())
        }
        guard let (permits, horizons) = found else { return [.ok("There are none yet.")] }
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
                        "The upstream asked for it; it ends by itself. Searches say so meanwhile."))
            } else if let quota = permit.quotas.first(where: \.isUsedUpForLong) {
                findings.append(
                    .warning(
                        "\(name) has used \(quota.used) of its \(quota.quota.amount) \(quota.quota.name).",
                        "It begins anew by itself; searches say when. Where the upstream allows more, say so in "
                            + "upstreams.\(permit.provider).\(quota.quota.name)."))
            } else {
                findings.append(
                    .ok("\(name): \(permit.free) of \(permit.requests) free, \(permit.waiting) calls wait."))
            }
        }
        return findings.isEmpty ? [.ok("There are none yet.")] : findings
    }

    /// A permit is busy for a second, the request's timeout and a window at most (docs/permits.md).
    static func stuckFinding(
        name: String, horizon: MonotonicInstant, now: MonotonicInstant, timeout: Duration, window: Duration
    ) -> Finding? {
        // Another process may have been told a longer timeout; the longest that there is, is two minutes.
        let longest = .seconds(1) + max(timeout, .seconds(120)) + window
        guard now.advanced(by: longest) < horizon else { return nil }
        return .problem(
            "A permit of \(name) is taken for another \(HumanTime.text(now.duration(to: horizon))), "
                + "which no request lasts.",
            "Stop all workers and start them again; if it stays so, the machine's clock since its boot went back.")
    }
}

extension PermitStatus.Quota {
    /// Shorter ones come back while calls wait.
    fileprivate var isUsedUpForLong: Bool { used >= quota.amount && quota.window > .seconds(3_600) }
}
