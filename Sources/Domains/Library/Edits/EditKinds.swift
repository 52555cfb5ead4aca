import Contracts
import Model

extension TypedJobKind where Payload == LibraryEditPayload, Result == LibraryEditResult {
    /// Makes a change that a person requested at a service: saves songs, changes a playlist.
    ///
    /// The library's routes submit it, and refuse what cannot be done. The scopes are only for connecting: if the
    /// permission was withdrawn since, the edit fails and its change is undone.
    package static var libraryEdit: Self {
        Self(
            JobKind(
                name: "library.edit", version: 1, submitter: .system, maximumRunTime: .seconds(900),
                needs: [JobKind.Need(.spotify, scopes: SpotifyScopes.writing)], maximumRunningPerUser: 4))
    }
}

extension TypedJobKind where Payload == LibraryCopyPayload, Result == LibraryCopyResult {
    /// Copies a playlist from one source to another service: finds the songs, begins the edits, reads them back.
    ///
    /// Its route submits it. The writes are made by ``libraryEdit`` jobs.
    package static var libraryCopy: Self {
        Self(
            JobKind(
                name: "library.copy", version: 1, submitter: .system, maximumRunTime: .seconds(900),
                maximumRunningPerUser: 1))
    }
}

/// The payload of `library.edit`, version 1.
package struct LibraryEditPayload: Codable, Sendable, Equatable {
    /// The id of the edit, whose rows say what is changed.
    package var edit: String

    package init(edit: String) {
        self.edit = edit
    }
}

/// The result of `library.edit`.
package struct LibraryEditResult: Codable, Sendable, Equatable {
    /// `complete`, `failed` or `unclear`; `waiting` while an earlier edit of the same list is unfinished.
    package var state: String

    package init(state: String) {
        self.state = state
    }
}

/// The payload of `library.copy`, version 1.
package struct LibraryCopyPayload: Codable, Sendable, Equatable {
    /// The id of the copy.
    package var copy: String

    package init(copy: String) {
        self.copy = copy
    }
}

/// The result of `library.copy`.
package struct LibraryCopyResult: Codable, Sendable, Equatable {
    /// `complete`, `failed`, or `writing` while edits are under way; `gone` when the person was deleted.
    package var state: String

    package init(state: String) {
        self.state = state
    }
}
