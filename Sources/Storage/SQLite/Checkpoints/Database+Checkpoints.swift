/// What a checkpoint has moved from the log into the database file.
package enum CheckpointOutcome: Sendable {
    /// All pages of the log were moved.
    case whole
    /// Some pages or none were moved: a reader needs the rest of the log.
    case blocked
    /// Nothing was moved: there are fewer pages than requested, or another checkpoint is under way.
    case small
}

extension Database {
    /// Checkpoints the write-ahead log: writes its pages into the database file. Only the gateway may call this.
    ///
    /// Most pages are moved while others write. The write lock is only held for the last ones.
    ///
    /// - Parameters:
    ///   - minimum: nothing happens if fewer pages exist only in the log.
    ///   - truncates: also truncates the log to nothing.
    @discardableResult
    package func checkpoint(minimum: Int = 0, truncates: Bool = false) async throws -> CheckpointOutcome {
        for part in 0..<Self.maximumConcurrentCheckpoints {
            let required = max(part == 0 ? minimum : 0, Self.minimumConcurrentPages)
            let begun = try await maintain { [self] connection in
                let checkpoints = try openCheckpoints()
                return try checkpoints.begin(atLeast: required, on: connection) ? checkpoints : nil
            }.value
            guard let begun else {
                if part == 0, minimum > 0 { return .small }
                break
            }
            // A reader needs the rest of the log: further rounds would only sync the file.
            guard try await begun.run() else { break }
        }
        return try await maintain { try $0.moveLog(truncates: truncates) }.value ? .whole : .blocked
    }

    /// The most parts of the log that are moved while others write to it.
    private static let maximumConcurrentCheckpoints = 4
    /// Fewer pages than this are moved under the write lock: 1 MiB.
    private static let minimumConcurrentPages = 256

    private func openCheckpoints() throws -> ConcurrentCheckpoints {
        try sqlite.checkpoints.withLock { checkpoints in
            if let checkpoints { return checkpoints }
            let opened = try ConcurrentCheckpoints(path: path)
            checkpoints = opened
            return opened
        }
    }

    /// Returns once no checkpoint is under way, as far as this process knows.
    func waitForCheckpoint() async {
        await sqlite.checkpoints.withLock { $0 }?.waitForEnd()
    }
}
