import Model
import Storage

/// A note that a person has written.
package struct Note: Sendable, Equatable {
    /// The most characters of a note, counted as Unicode scalars.
    package static let maximumLength = 2_000
    /// The most notes of a person.
    package static let capacity = 1_000

    package var id: String
    package var words: String
    /// The service that the note is about; `nil` for a note about nothing in particular.
    package var provider: Provider?
    package var createdAt: Timestamp
    /// The number of its last change.
    package var change: Int64
}

extension Note {
    /// The number of words in all of the notes.
    package static func wordCount(of notes: [Note]) -> Int {
        notes.reduce(0) { $0 + $1.words.split(whereSeparator: \.isWhitespace).count }
    }
}

/// Why a note is refused.
package enum NoteRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    case tooManyNotes(limit: Int)

    package var description: String {
        switch self {
        case .tooManyNotes(let limit): "You can have at most \(limit) notes. The oldest ones are deleted in time."
        }
    }
}
