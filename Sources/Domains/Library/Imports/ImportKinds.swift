import Contracts
import Model

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
