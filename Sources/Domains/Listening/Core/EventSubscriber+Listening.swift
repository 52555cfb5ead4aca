import DomainEvents
import Model
import Storage

extension [EventSubscriber] {
    /// Has plays read from a connected Spotify account until it is disconnected, and records the listens of imports.
    ///
    /// - Parameters:
    ///   - spotifyInterval: the interval at which plays are read while people listen; `nil` for never.
    ///   - quota: how many listens a person may have.
    package static func listening(spotifyInterval: Duration?, quota: ListenQuota) -> Self {
        [
            EventSubscriber(AccountConnected.self) { account, transaction in
                guard account.provider == .spotify, let spotifyInterval else { return }
                try transaction.listening.scheduleReading(
                    every: spotifyInterval, userID: account.userID, now: .now())
            },
            EventSubscriber(AccountRemoved.self) { account, transaction in
                guard account.provider == .spotify else { return }
                try transaction.listening.endReading(userID: account.userID)
            },
            EventSubscriber(ListensImported.self) { part, transaction, recorded in
                let source = ListenSource(ofFormat: part.format)
                let result = try transaction.listening.recordPart(
                    of: part.listens.map { NewObservation($0, from: source) }, import: part.importID,
                    userID: part.userID, quota: quota, now: .now())
                recorded = ListensImported.Recorded(new: result.counts.new, taken: result.taken)
            },
            EventSubscriber(ImportUndone.self) { undone, transaction, hasRemoved in
                let isDone = try transaction.listening.removeStep(
                    ofImport: undone.importID, userID: undone.userID, now: .now())
                if !isDone { hasRemoved = true }
            },
            EventSubscriber(ImportMadePermanent.self) { permanent, transaction, changed in
                changed += try transaction.listening.retainRepeats(
                    ofImport: permanent.importID, userID: permanent.userID, limit: permanent.limit)
            },
        ]
    }
}
