import Contracts
import Jobs
import Library
import Model

extension LibraryHooks {
    /// Has a source's library read when the source was connected, and the former account's data deleted when another
    /// takes its place.
    ///
    /// - Parameter interval: of the schedule on which libraries are read; `nil` for none.
    package static func syncing(every interval: Duration?) -> LibraryHooks {
        LibraryHooks(
            submitLibrarySync: { source, userID, transaction, submissions in
                try transaction.library.submitSync(
                    afterConnecting: source, userID: userID, interval: interval, now: .now()
                ) { payload in
                    try submissions.submit(NewJob(.librarySync, payload), userID: userID, in: transaction)
                }
            },
            scheduleLibraryRemoval: { source, userID, transaction in
                try transaction.library.scheduleRemoval(of: source, userID: userID, now: .now())
            })
    }
}
