/// The rule about order: of two jobs of one user, kind and priority, the one that was accepted before the other was
/// sent is handed out first.
extension Record {
    /// How much later the earlier job may be written as handed out, in milliseconds: two that are handed out at once
    /// are written by two transactions, in either order.
    private static let tolerance = 250

    var overtakings: [Violation] {
        var arrivals: [String: Arrival] = [:]
        for request in requests {
            guard case .submit(let jobs) = request.purpose else { continue }
            guard case .accepted(let ids) = request.answer else { continue }
            for (index, (id, job)) in zip(ids, jobs).enumerated() where job.isPlain {
                // The times of the first request and of the first acceptance.
                var arrival =
                    arrivals[id] ?? Arrival(id: id, job: job, sentAt: Int.max, acceptedAt: Int.max, index: index)
                arrival.sentAt = min(arrival.sentAt, firstSent(job.tag))
                arrival.acceptedAt = min(arrival.acceptedAt, request.answeredAt)
                arrivals[id] = arrival
            }
        }
        let handed = firstHandOuts
        let lines = Dictionary(grouping: arrivals.values) { "\($0.job.user) \($0.job.priority) \($0.job.kind)" }
        return lines.values.flatMap { line -> [Violation] in
            let ordered = line.compactMap { arrival in handed[arrival.id].map { (arrival, $0) } }
                .sorted { $0.1.place < $1.1.place }
            var violations: [Violation] = []
            for (place, (later, its)) in ordered.enumerated() {
                // A job that is later in this list but was accepted earlier was overtaken.
                for (earlier, theirs) in ordered[(place + 1)...]
                where earlier.isBefore(later) && theirs.at - its.at > Self.tolerance
                    && !isDisturbed(from: its.at, to: theirs.at)
                {
                    violations.append(
                        .init(
                            .order,
                            "job \(later.job.tag) was handed out \(theirs.at - its.at) ms before job "
                                + "\(earlier.job.tag), which was accepted earlier"))
                }
            }
            return violations
        }
    }

    private struct Arrival {
        var id: String
        var job: SubmittedJob
        var sentAt: Int
        var acceptedAt: Int
        /// The job's position in its request.
        var index: Int

        func isBefore(_ other: Arrival) -> Bool {
            if acceptedAt < other.sentAt { return true }
            return sentAt == other.sentAt && acceptedAt == other.acceptedAt && index < other.index
        }
    }

    private func firstSent(_ tag: Int) -> Int {
        requests.lazy.compactMap { request -> Int? in
            guard case .submit(let jobs) = request.purpose, jobs.contains(where: { $0.tag == tag }) else { return nil }
            return request.sentAt
        }.min() ?? 0
    }

    /// The position and time of each job's first run.
    private var firstHandOuts: [String: (place: Int, at: Int)] {
        var handed: [String: (place: Int, at: Int)] = [:]
        for (place, change) in changes.enumerated() where change.to == "running" && change.run == 1 {
            handed[change.jobID] = (place, change.at)
        }
        return handed
    }

    /// Whether a process was stopped or did not run around that time: assignments then depend on the remaining
    /// processes.
    private func isDisturbed(from: Int, to: Int) -> Bool {
        disturbances.contains { $0.from - Self.tolerance <= to && from <= $0.to + Self.tolerance }
    }
}
