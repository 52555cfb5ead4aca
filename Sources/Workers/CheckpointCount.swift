/// How many transactions a long job has made whose progress is in the rows of its domain: each is progress.
struct CheckpointCount: Codable, Sendable {
    var count: Int
}

/// Counts the transactions of a run.
actor CheckpointCounter {
    private var count: Int

    init(_ kept: CheckpointCount?) { count = kept?.count ?? 0 }

    func next() -> CheckpointCount {
        count += 1
        return CheckpointCount(count: count)
    }
}
