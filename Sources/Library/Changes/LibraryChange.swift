import Model

/// An entry for a library's change log.
struct LibraryChange: Sendable {
    let id: Int64
    let kind: LibraryChangeKind
    let item: String
    let itemID: Int64
    let source: MusicSource
    let title: String
    let entriesVersion: Int64?
}
