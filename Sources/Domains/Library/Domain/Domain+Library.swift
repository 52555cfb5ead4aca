import Contracts
import Domains
import JobStorage
import Library
import LibraryEdits
import LibraryImports
import LibrarySync
import Storage

extension Domain {
    /// People's libraries, both per service and combined.
    package static let library = Domain(
        "library", migrations: [.libraryBaseline], personalTables: .library,
        jobKinds: [
            TypedJobKind.librarySync.kind, TypedJobKind.libraryEdit.kind, TypedJobKind.libraryImport.kind,
            TypedJobKind.libraryUndoImport.kind, TypedJobKind.libraryCopy.kind,
        ],
        completionHooks: [.librarySync, .libraryEdit, .libraryImport, .libraryUndoImport, .libraryCopy],
        erasureHandlers: { [.imports(in: ImportFolder($0[ImportSettings.self]))] },
        settings: [LibrarySettings.self, ImportSettings.self])
}
