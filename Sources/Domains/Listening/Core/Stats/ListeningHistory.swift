import Foundation
import Model

/// A person's own history with a song or an artist.
package struct ListeningHistory: Sendable {
    package struct Month: Sendable, Hashable {
        /// `2026-11`, in the person's time zone.
        package var name: String
        package var listens: Int
    }

    package var listens = 0
    package var milliseconds = 0
    package var first: Timestamp?
    package var last: Timestamp?
    /// The months with listens, the earliest first.
    package var months: [Month] = []

    package var minutes: Int { milliseconds / 60_000 }

    /// What a history is about.
    package enum Subject: Sendable, Hashable {
        /// A track of the person's library.
        case track(LibraryID)
        /// An artist, in any spelling that folds to the same text.
        case artist(String)
    }
}

extension ListenColumns {
    package func history(
        of subject: ListeningHistory.Subject, in zone: TimeZone, at now: Timestamp
    ) -> ListeningHistory {
        var history = ListeningHistory()
        let possible = PossibleTimes.seconds(at: now)
        let wanted: [Bool]
        switch subject {
        case .track(let id): wanted = songs.map { $0.track == id.key }
        case .artist(let name):
            let group = artistGroup(of: name)
            wanted = songs.map { $0.artistGroup == group }
        }
        let ordered = orderedMonths
        let (first, last) = (ordered.first?.starts.first ?? 0, ordered.last?.starts.last ?? 0)
        var offsets = ZoneOffsets(zone, in: first...max(first, last))
        for month in ordered {
            for index in month.starts.indices where wanted[Int(month.songs[index])] {
                let start = month.starts[index]
                guard possible.contains(start) else { continue }
                let moment = Timestamp(microseconds: start * 1_000_000)
                history.listens += 1
                history.milliseconds += Int(month.played[index])
                history.first = history.first ?? moment
                history.last = moment
                let name = String(Timestamp(microseconds: offsets.local(start) * 1_000_000).description.prefix(7))
                if history.months.last?.name == name {
                    history.months[history.months.count - 1].listens += 1
                } else {
                    history.months.append(.init(name: name, listens: 1))
                }
            }
        }
        return history
    }
}
