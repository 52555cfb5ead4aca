import Model
import Platform
import Storage

/// Syncs that wait for the end of a pause, perhaps until tomorrow, and those that follow them.
extension SyncStore {
    /// The sources that syncs have begun to read and will continue after a pause that the service requested.
    func pausedSources(among syncs: [UnfinishedSync]) throws -> Set<MusicSource> {
        try syncs.filter(\.isRunning).reduce(into: []) { paused, sync in
            paused.formUnion(try statuses(ofSync: sync.id).filter { $0.value.isPaused }.keys)
        }
    }

    /// Whether a sync has left any of the given sources to an earlier one that has not ended.
    func hasLeft(_ sources: [MusicSource], bySync id: String, userID: String) throws -> Bool {
        guard let number = try syncNumber(of: id, userID: userID) else { return false }
        let earlier = try unfinished(userID: userID).filter { $0.number < number }
        let (own, paused) = (try statuses(ofSync: id), try pausedSources(among: earlier))
        return sources.contains { own[$0] == nil && paused.contains($0) }
    }
}

extension SyncStore where Access == WriteTransaction {
    enum SyncAdmission {
        case reads([MusicSource])
        case waits(until: Timestamp)
    }

    /// Determines which sources a sync reads now, or when it checks again. It leaves a paused source to the sync that
    /// is waiting for the end of the pause, perhaps until tomorrow, and reads the others; if there are no others, it
    /// waits as well. Still, only one sync runs at a time, since the job kind does not allow two jobs per user at once.
    ///
    /// - Parameters:
    ///   - asked: the sources that the sync was requested for.
    ///   - earlier: the user's earlier syncs that have not ended.
    func admission(
        of asked: [MusicSource], after earlier: [UnfinishedSync], sync id: String, connected: [MusicSource],
        now: Timestamp
    ) throws -> SyncAdmission {
        // A row whose job ended in some other way does not delay anybody.
        let earlier = try earlier.compactMap { other in try timeOfJob(other.id, now: now).map { (other, time: $0) } }
        let own = try statuses(ofSync: id)
        let wanted = own.isEmpty ? asked : asked.filter { own[$0].map { !$0.hasEnded } ?? false }
        let paused = try pausedSources(among: earlier.map(\.0))
        let free = wanted.filter { !paused.contains($0) }
        if free.isEmpty, !wanted.isEmpty, let time = earlier.map(\.time).min() { return .waits(until: time) }
        for (other, time) in earlier {
            let isBefore =
                if other.isRunning {
                    try statuses(ofSync: other.id).contains { free.contains($0.key) && !$0.value.hasEnded }
                } else {
                    // A sync that is itself waiting for the end of a pause does not delay other sources.
                    other.sources.contains { !paused.contains($0) && (other.isSingle || connected.contains($0)) }
                }
            if isBefore { return .waits(until: time) }
        }
        return .reads(free)
    }

    /// When to check again whether a sync's job has ended; `nil` if it has.
    private func timeOfJob(_ id: String, now: Timestamp) throws -> Timestamp? {
        let job = try transaction.row("SELECT run_at FROM jobs WHERE id = \(id) AND finished_at IS NULL")
        guard let runAt: Timestamp = try job?["run_at"] else { return nil }
        // The job may have been postponed by a day, and may be cancelled before.
        let (soon, longest) = (Duration.seconds(5).dividedInTests, Duration.seconds(300).dividedInTests)
        return min(max(runAt, now).advanced(by: soon), now.advanced(by: longest))
    }
}
