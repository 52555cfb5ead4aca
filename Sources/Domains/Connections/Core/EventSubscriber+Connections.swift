import DomainEvents
import Model
import Storage

extension [EventSubscriber] {
    /// Reports a change of a person's home city as a change of the setup step that shows it.
    package static var connections: Self {
        [
            EventSubscriber(HomeCityChanged.self) { person, transaction in
                try transaction.connections.recordHomeCityChange(userID: person.userID, now: .now())
            }
        ]
    }
}

extension ConnectionStore where Access == WriteTransaction {
    /// Reports the change of a person's city as a change of the step that shows it.
    package func recordHomeCityChange(userID: String, now: Timestamp) throws {
        let provider = Provider.ticketmaster
        var record =
            try record(userID: userID, provider: provider.rawValue)
            ?? ConnectionRecord(userID: userID, provider: provider, now: now)
        record.updatedAt = now
        try put(record, now: now)
    }
}
