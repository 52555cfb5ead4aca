import Contracts

extension TypedJobKind where Payload == NoPayload, Result == NoteCountResult {
    /// Counts a person's notes and the words in them.
    package static var notesCount: Self {
        Self(JobKind(name: "notes.count", version: 1, submitter: .user, maximumRunTime: .seconds(60)))
    }
}

/// The result of `notes.count`.
package struct NoteCountResult: Codable, Sendable, Equatable {
    package var notes: Int
    package var words: Int

    package init(notes: Int, words: Int) {
        self.notes = notes
        self.words = words
    }
}
