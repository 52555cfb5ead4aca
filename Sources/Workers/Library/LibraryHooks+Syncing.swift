import Contracts
import Jobs
import Library
import Listening
import Model

extension LibraryHooks {
    /// Schedules reading a source's library and plays when the source was connected, and schedules deleting the former
    /// account's library when another account replaces it.
    ///
    /// - Parameters:
    ///   - interval: the interval at which libraries are read; `nil` for no schedule.
    ///   - spotifyInterval: the interval at which plays are read from Spotify while people listen; `nil` for never.
    package static func syncing(every interval: Duration?, spotifyPlaysEvery spotifyInterval: Duration?) -> LibraryHooks
    {
        LibraryHooks(
            submitLibrarySync: { source, userID, transaction, submissions in
                try transaction.syncs.submitSync(
                    afterConnecting: source, userID: userID, interval: interval, now: .now()
                ) { payload in
                    try submissions.submit(NewJob(.librarySync, payload), userID: userID, in: transaction)
                }
                if source == .spotify, let spotifyInterval {
                    try transaction.listening.scheduleReading(every: spotifyInterval, userID: userID, now: .now())
                }
            },
            scheduleLibraryRemoval: { source, userID, transaction in
                try transaction.sourceRemovals.scheduleRemoval(of: source, userID: userID, now: .now())
            })
    }
}
