import Contracts
import Domains
import Storage

extension Domain {
    /// The notes that people write.
    package static let notes = Domain(
        "notes", migrations: [.notesTables], personalTables: .notes, jobKinds: [TypedJobKind.notesCount.kind],
        settings: [NoteSettings.self])
}
