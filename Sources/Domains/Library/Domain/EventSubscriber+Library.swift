import Contracts
import DomainEvents
import Jobs
import LibrarySync
import LibraryWriting
import Model
import Storage

extension [EventSubscriber] {
    /// Has the library of a connected account read, and what was read deleted when the account is disconnected or
    /// replaced.
    ///
    /// - Parameter syncInterval: the interval at which libraries are read; `nil` for no schedule.
    package static func library(syncInterval: Duration?) -> Self {
        [.librarySyncing(every: syncInterval), .libraryReplacing, .libraryRemoving]
    }
}

extension EventSubscriber {
    /// Submits a sync of the account, and schedules further ones.
    fileprivate static func librarySyncing(every interval: Duration?) -> EventSubscriber {
        EventSubscriber(AccountConnected.self) { account, transaction, submissions in
            guard let source = MusicSource(provider: account.provider) else { return }
            try transaction.syncs.submitSync(
                afterConnecting: source, userID: account.userID, interval: interval, now: .now()
            ) { payload in
                try submissions.submit(NewJob(.librarySync, payload), userID: account.userID, in: transaction)
            }
        }
    }

    /// Makes the rows of the former account due for deletion, unless the person wants to keep them.
    fileprivate static let libraryReplacing = EventSubscriber(AccountReplaced.self) { account, transaction in
        guard !account.keepsFormerData, let source = MusicSource(provider: account.provider) else { return }
        try transaction.sourceRemovals.scheduleRemoval(of: source, userID: account.userID, now: .now())
    }

    /// Makes the rows of the account due for deletion. Without any source, the person's library is no longer read on a
    /// schedule.
    fileprivate static let libraryRemoving = EventSubscriber(AccountRemoved.self) { account, transaction in
        guard let source = MusicSource(provider: account.provider) else { return }
        let now = Timestamp.now()
        try transaction.sourceRemovals.scheduleRemoval(of: source, userID: account.userID, now: now)
        guard !MusicSource.services.contains(where: { $0.provider.map(account.remaining.contains) ?? false }) else {
            return
        }
        try transaction.syncs.schedule(isConnected: false, userID: account.userID, interval: nil, now: now)
    }
}
