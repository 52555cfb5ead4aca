import Model
import Storage

/// Syncs that wait for the end of a pause, perhaps until tomorrow, and those that come after them.
extension LibraryStore {
    /// The sources that syncs have begun to read and go on with after a pause that the service asked for.
    func pausedSources(among syncs: [UnfinishedSync]) throws -> Set<MusicSource> {
        try syncs.filter(\.isRunning).reduce(into: []) { paused, sync in
            paused.formUnion(try standings(ofSync: sync.id).filter { $0.value.isPaused }.keys)
        }
    }

    /// Whether a sync has left any of some sources to an earlier one, which has not ended.
    func hasLeft(_ sources: [MusicSource], bySync id: String, userID: String) throws -> Bool {
        guard let number = try syncNumber(of: id, userID: userID) else { return false }
        let earlier = try unfinishedSyncs(userID: userID).filter { $0.number < number }
        let (own, paused) = (try standings(ofSync: id), try pausedSources(among: earlier))
        return sources.contains { own[$0] == nil && paused.contains($0) }
    }
}

extension LibraryStore where Access == WriteTransaction {
    enum Turn {
        case reads([MusicSource])
        case waits(until: Timestamp)
    }

    /// Which sources a sync reads now, or when it looks again. It leaves a source that is paused to the sync that waits
    /// for the end of the pause, perhaps until tomorrow, and reads the others; without any others, it waits, too. One
    /// runs at a time all the same: the kind allows no two jobs of a person at once.
    ///
    /// - Parameters:
    ///   - asked: those that it is asked for.
    ///   - earlier: the person's syncs before it that have not ended.
    func turn(
        of asked: [MusicSource], after earlier: [UnfinishedSync], sync id: String, connected: [MusicSource],
        now: Timestamp
    ) throws -> Turn {
        // A row whose job has ended otherwise keeps nobody waiting.
        let earlier = try earlier.compactMap { other in try timeOfJob(other.id, now: now).map { (other, time: $0) } }
        let own = try standings(ofSync: id)
        let wanted = own.isEmpty ? asked : asked.filter { own[$0].map { !$0.hasEnded } ?? false }
        let paused = try pausedSources(among: earlier.map(\.0))
        let free = wanted.filter { !paused.contains($0) }
        if free.isEmpty, !wanted.isEmpty, let time = earlier.map(\.time).min() { return .waits(until: time) }
        for (other, time) in earlier {
            let isBefore =
                if other.isRunning {
                    try standings(ofSync: other.id).contains { free.contains($0.key) && !$0.value.hasEnded }
                } else {
                    // One that waits for the end of a pause itself keeps no other source waiting.
                    other.sources.contains { !paused.contains($0) && (other.isSingle || connected.contains($0)) }
                }
            if isBefore { return .waits(until: time) }
        }
        return .reads(free)
    }

    /// When to look again whether a sync's job has ended; `nil` when it has.
    private func timeOfJob(_ id: String, now: Timestamp) throws -> Timestamp? {
        let job = try transaction.row("SELECT run_at FROM jobs WHERE id = \(id) AND finished_at IS NULL")
        guard let runAt: Timestamp = try job?["run_at"] else { return nil }
        // It may have been put off for a day, and be cancelled before.
        let (soon, longest) = (Duration.seconds(5).dividedInTests, Duration.seconds(300).dividedInTests)
        return min(max(runAt, now).advanced(by: soon), now.advanced(by: longest))
    }
}
