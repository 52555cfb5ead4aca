import Jobs
import Model
import Storage

/// What connecting a service, and replacing its account, means for a person's library. Each hook is called in the
/// transaction that writes the connection.
package struct LibraryHooks: Sendable {
    package typealias SubmitLibrarySync =
        @Sendable (
            _ source: MusicSource, _ userID: String, _ transaction: WriteTransaction,
            _ submissions: inout JobSubmissions
        ) throws -> Void

    package typealias ScheduleLibraryRemoval =
        @Sendable (_ source: MusicSource, _ userID: String, _ transaction: WriteTransaction) throws -> Void

    /// A source was connected, or connected again with more scopes or a new token.
    package var submitLibrarySync: SubmitLibrarySync
    /// Another account replaced a source's account, whose data is to be deleted. Called before ``submitLibrarySync``.
    package var scheduleLibraryRemoval: ScheduleLibraryRemoval

    package init(
        submitLibrarySync: @escaping SubmitLibrarySync, scheduleLibraryRemoval: @escaping ScheduleLibraryRemoval
    ) {
        self.submitLibrarySync = submitLibrarySync
        self.scheduleLibraryRemoval = scheduleLibraryRemoval
    }

    /// For a process without libraries.
    package static let none = LibraryHooks(submitLibrarySync: { _, _, _, _ in }, scheduleLibraryRemoval: { _, _, _ in })
}

extension WorkerProcess {
    /// The hooks of this process.
    var libraryHooks: LibraryHooks {
        .syncing(
            every: configuration.library.syncInterval, spotifyPlaysEvery: configuration.listening.spotifyInterval)
    }
}
