import Model

/// How a run of a sync's job begins.
enum SyncStart: Sendable, Equatable {
    /// - Parameters:
    ///   - number: the number of the sync, which differs from the checkpoint's if another sync has run since.
    ///   - sources: the sources to read.
    ///   - mustMerge: whether the previous sync ended before it could merge.
    case runs(number: Int64, libraryID: Int64, sources: [MusicSource], mustMerge: Bool)
    /// Another sync does what this one would do.
    case joined
    /// An earlier sync of the user has not ended, so this one has to wait.
    case waits(until: Timestamp)
}
