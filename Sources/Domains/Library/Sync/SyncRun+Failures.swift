import LibraryWriting
import Model
import Storage

/// What a run does about a source that cannot be read.
extension SyncRun {
    /// Gives up a source that cannot be read, or sets it aside after a temporary failure; either way, the others are
    /// read.
    ///
    /// - Parameter failures: this run's temporary failures, by source.
    /// - Throws: the failure that is expected to pass first, once every remaining source has failed, so that the job is
    ///   postponed or retried.
    func handleFailure(
        _ failure: ProviderFailure, of source: MusicSource, _ failures: inout [MusicSource: ProviderFailure],
        _ state: inout SyncState, _ memory: inout SyncMemory
    ) async throws -> SyncEvent {
        let error = SourceError(failure)
        let passes = failure.recovery == .retryAt || failure.kind == .secretsSealed
        let isPutOff = failure.recovery == .retryAt && failure.until != nil
        let isGivenUp = !passes || !isPutOff && job.isLastAttempt && !memory.hasProgressed
        memory.drop()
        if isGivenUp {
            memory.error = error
            failures[source] = nil
            return .failed
        }
        failures[source] = failure
        // This uses the state of the last checkpoint: reading another source next does not count as progress, which
        // would reset the job's attempts.
        try await job.checkpoint(memory.lastCheckpoint ?? state) { [job] transaction in
            try transaction.syncs.setSourceState("waiting", error, sync: job.id, source: source, userID: job.userID)
        }
        guard state.postponeSource(failed: Set(failures.keys)) else {
            throw failures.values.min { Self.passes($0, before: $1) } ?? failure
        }
        return .resumed
    }

    /// Whether a failure is expected to pass before another one: momentary failures first, then those with a known end,
    /// then those that require the operator.
    private static func passes(_ failure: ProviderFailure, before other: ProviderFailure) -> Bool {
        func rank(_ failure: ProviderFailure) -> (Int, Timestamp) {
            guard failure.recovery == .retryAt else { return (2, Timestamp(microseconds: 0)) }
            return failure.until.map { (1, $0) } ?? (0, Timestamp(microseconds: 0))
        }
        return rank(failure) < rank(other)
    }

    /// Handles a source that was disconnected while it was read, so that its rows are being deleted. If it has been
    /// connected again, its scan starts over; otherwise, it ends.
    func handleDisconnection(
        of source: MusicSource, _ state: inout SyncState, _ memory: inout SyncMemory
    ) async throws -> SyncEvent {
        memory.drop()
        do {
            _ = try await self.source(source).account()
            state.restartSource()
            return .resumed
        } catch let failure as ProviderFailure {
            memory.error = SourceError(failure)
            return .failed
        }
    }
}

extension SourceError {
    fileprivate init(_ failure: ProviderFailure) {
        self.init(code: failure.kind.rawValue, message: failure.message)
    }
}
