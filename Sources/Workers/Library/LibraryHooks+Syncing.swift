import Contracts
import Jobs
import Library
import Listening
import Model

extension LibraryHooks {
    /// Has a source's library, and what is played there, read when the source was connected, and the former account's
    /// library deleted when another takes its place.
    ///
    /// - Parameters:
    ///   - interval: of the schedule on which libraries are read; `nil` for none.
    ///   - spotifyInterval: at which people's plays are read from Spotify while they listen; `nil` for never.
    package static func syncing(every interval: Duration?, spotifyPlaysEvery spotifyInterval: Duration?) -> LibraryHooks
    {
        LibraryHooks(
            submitLibrarySync: { source, userID, transaction, submissions in
                try transaction.library.submitSync(
                    afterConnecting: source, userID: userID, interval: interval, now: .now()
                ) { payload in
                    try submissions.submit(NewJob(.librarySync, payload), userID: userID, in: transaction)
                }
                if source == .spotify, let spotifyInterval {
                    try transaction.listening.scheduleReading(every: spotifyInterval, userID: userID, now: .now())
                }
            },
            scheduleLibraryRemoval: { source, userID, transaction in
                try transaction.library.scheduleRemoval(of: source, userID: userID, now: .now())
            })
    }
}
