import Model

extension JobKind {
    static let library = [
        TypedJobKind.librarySync.kind, TypedJobKind.libraryEdit.kind, TypedJobKind.libraryImport.kind,
        TypedJobKind.libraryUndoImport.kind, TypedJobKind.libraryCopy.kind,
    ]
}

extension TypedJobKind where Payload == LibrarySyncPayload, Result == LibrarySyncResult {
    /// Reads a person's libraries at the services and merges them into one.
    ///
    /// It needs no connection itself: a source that is not connected ends with its own error, and the others are read
    /// regardless. So it names the scopes only for connecting (``SpotifyScopes/library``).
    package static var librarySync: Self {
        Self(
            JobKind(
                name: "library.sync", version: 1, submitter: .system,
                // The time from one page to the next: long enough to wait for a permit after other people's calls.
                maximumRunTime: .seconds(900), maximumRunningPerUser: 1))
    }
}

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

extension TypedJobKind where Payload == LibraryImportPayload, Result == LibraryImportResult {
    /// Reads an uploaded file into the person's library. Its route accepts the file.
    package static var libraryImport: Self {
        Self(
            JobKind(
                name: "library.import", version: 1, submitter: .system, maximumRunTime: .seconds(900),
                maximumRunningPerUser: 1))
    }

    /// Removes what an import added.
    package static var libraryUndoImport: Self {
        Self(
            JobKind(
                name: "library.undoImport", version: 1, submitter: .system, maximumRunTime: .seconds(900),
                maximumRunningPerUser: 1))
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

/// The payload of `library.import` and `library.undoImport`, version 1.
package struct LibraryImportPayload: Codable, Sendable, Equatable {
    /// The id of the import.
    package var importID: String
    /// Whether plays from private sessions are also imported; `nil` means no.
    package var takesPrivate: Bool?

    package init(importID: String, takesPrivate: Bool? = nil) {
        self.importID = importID
        self.takesPrivate = takesPrivate
    }
}

/// The result of `library.import` and `library.undoImport`.
package struct LibraryImportResult: Codable, Sendable, Equatable {
    /// `complete`, `failed` or `undone`; `gone` when the person was deleted.
    package var state: String

    package init(state: String) {
        self.state = state
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

/// The payload of `library.sync`, version 1. Schedules submit `{}`.
package struct LibrarySyncPayload: Codable, Sendable, Equatable {
    /// The only source to read; `nil` for all that are connected.
    package var source: MusicSource?
    /// Whether sources that were read recently are also read.
    package var force: Bool?

    package init(source: MusicSource? = nil, force: Bool? = nil) {
        self.source = source
        self.force = force
    }
}

/// The result of `library.sync`.
package struct LibrarySyncResult: Codable, Sendable, Equatable {
    /// `complete`, `partial` or `failed`.
    package var state: String
    /// How many tracks were merged into others.
    package var merged: Int

    package init(state: String, merged: Int) {
        self.state = state
        self.merged = merged
    }
}
