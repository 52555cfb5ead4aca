import Contracts
import Model
import Storage

/// The tracks that a run still has to merge.
struct Merging: Sendable {
    /// How long a step is to hold the lock.
    private static let wanted = Duration.milliseconds(5)

    private(set) var plan: MergePlan
    /// Whether anything was changed since the library was read for the plan.
    private(set) var isChanged = false
    /// The most tracks that the next step merges into others.
    private(set) var limit: Int

    init(_ groups: [EqualTracks], limit: Int = 50) {
        plan = MergePlan(groups)
        self.limit = limit
    }

    /// Takes the tracks of a step.
    mutating func next() -> [EqualTracks] { plan.next(limit: limit) }

    /// Notes a step, and suits the size of the next to the time that it took.
    mutating func took(_ effect: MergeEffect, _ time: Duration) {
        if effect.isChange { isChanged = true }
        if time > Self.wanted {
            limit = max(10, limit / 2)
        } else if time < Self.wanted / 2 {
            limit = min(400, limit * 3 / 2)
        }
    }
}

extension LibrarySync {
    /// Merges the next tracks with equal ISRCs. A run that goes on after a crash finds those that are left.
    func merge(_ state: SyncState, _ memory: inout SyncMemory) async throws -> SyncEvent {
        guard var merging = try await remaining(after: memory.merging, libraryID: state.libraryID) else {
            return .merged(isDone: true)
        }
        let groups = merging.next()
        let (effect, time) = try await keep(state, &memory) { [job] transaction in
            let start = ContinuousClock.now
            let effect = try transaction.library.mergeTracks(
                groups, ofLibrary: state.libraryID, userID: job.userID, sync: state.number, now: .now())
            try transaction.library.addMerged(effect.merged, sync: job.id, userID: job.userID)
            return (effect, start.duration(to: .now))
        }
        merging.took(effect, time)
        memory.merging = merging
        job.report(JobProgress(phase: "merging", done: 0, total: 0))
        return .merged(isDone: false)
    }

    /// The tracks to merge. They are looked for without the write lock, and again until nothing changes: what was moved
    /// apart may be equal to other tracks.
    ///
    /// - Returns: `nil` when none are left.
    private func remaining(after merging: Merging?, libraryID: Int64) async throws -> Merging? {
        if let merging {
            if !merging.plan.isEmpty { return merging }
            if !merging.isChanged { return nil }
        }
        let groups = try await database.read { try $0.library.equalTracks(inLibrary: libraryID) }
        guard !groups.isEmpty else { return nil }
        guard let merging else { return Merging(groups) }
        return Merging(groups, limit: merging.limit)
    }
}
