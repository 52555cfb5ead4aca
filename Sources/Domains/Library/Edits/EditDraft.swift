import LibraryWriting
import Model

/// An edit before its row is written.
struct EditDraft {
    let userID: String
    let partOf: String?
    let now: Timestamp
    var scan: SourceScan?
    var kind: LibraryEdit.Kind?
    var target = ""
    var title = ""
    var playlist: Int64?
    var actions: [EditAction] = []
    var total = 0
    var undo = EditUndo()
    /// The version of the staged entries; see `EditStore.stage`.
    var staged: Int64?
    var locks: (list: SourceList, ids: [Int64], hold: EditLock)?

    init(userID: String, partOf: String?, now: Timestamp) {
        (self.userID, self.partOf, self.now) = (userID, partOf, now)
    }

    mutating func setPlaylist(_ key: Int64, _ name: String, _ kind: LibraryEdit.Kind) {
        (playlist, title, self.kind, target) = (key, name, kind, "playlist:\(key)")
    }
}
