import Model
import Storage

/// A play of a song that an imported file lists.
package struct ImportedListen: Sendable, Hashable {
    /// The precision of the time.
    package enum Precision: Sendable {
        case millisecond, second, minute
    }

    /// Trimmed, and not empty.
    package var title: String
    /// Trimmed, and not empty.
    package var artist: String
    package var album: String?
    /// The length of the whole recording.
    package var durationMilliseconds: Int?
    /// How long it was played; `nil` where the file does not say.
    package var playedMilliseconds: Int?
    package var isrc: String?
    /// The recording's id at MusicBrainz, in lower case.
    package var recordingMBID: String?
    package var spotifyID: String?
    package var time: Timestamp
    /// Whether the time is the end of the play, and not its start.
    package var isEnd = false
    package var precision = Precision.second
    /// Whether the row comes from an export of Backline, and may repeat a listen of any source.
    package var isExported = false
    /// The program that reported the listen.
    package var client: String?
    /// Further details, as JSON.
    package var details: String?

    package init(title: String, artist: String, album: String?, time: Timestamp) {
        (self.title, self.artist, self.album, self.time) = (title, artist, album, time)
    }
}

/// An import read listens from a file. Library publishes it in the transaction that writes the rows of one part of the
/// file, so that every listen counts once.
package struct ListensImported: DomainEvent {
    /// What became of the listens.
    package struct Recorded: Sendable, Equatable {
        /// How many of them are new.
        package var new: Int
        /// How many of them were recorded, from the first one: at least one. The rest are published again in the next
        /// transaction.
        package var taken: Int

        package init(new: Int, taken: Int) {
            (self.new, self.taken) = (new, taken)
        }
    }

    /// Without a subscriber, all of them count as taken and none as new.
    package typealias Context = Recorded

    package let userID: String
    package let importID: LibraryID
    /// The format of the file, under the name that the import has in the API.
    package let format: String
    /// Not empty.
    package let listens: [ImportedListen]

    package init(userID: String, importID: LibraryID, format: String, listens: [ImportedListen]) {
        (self.userID, self.importID, self.format, self.listens) = (userID, importID, format, listens)
    }
}

/// An import is being undone. Library publishes it in one transaction after the other until no subscriber removes
/// anything any more.
package struct ImportUndone: DomainEvent {
    /// Whether a subscriber removed some rows of the import, so that more may be left.
    package typealias Context = Bool

    package let userID: String
    package let importID: LibraryID

    package init(userID: String, importID: LibraryID) {
        (self.userID, self.importID) = (userID, importID)
    }
}

/// An import can no longer be undone. Library publishes it in one transaction after the other until no subscriber
/// changes anything any more.
package struct ImportMadePermanent: DomainEvent {
    /// How many rows the subscribers have changed.
    package typealias Context = Int

    package let userID: String
    package let importID: LibraryID
    /// The most rows that a subscriber may change at once.
    package let limit: Int

    package init(userID: String, importID: LibraryID, limit: Int) {
        (self.userID, self.importID, self.limit) = (userID, importID, limit)
    }
}
