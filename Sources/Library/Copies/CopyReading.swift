import Model

/// A new playlist as its service shows it.
struct CopyReading {
    let shown: [SourcePlaylistEntry]
    let source: MusicSource
    /// The service's version of the list; `nil` where it tells none.
    var version: String?

    /// What the person is to look at: a list that is longer than what was written may have songs twice.
    func notice(of entries: [CopyEntry], name: String) -> EditError? {
        guard shown.count > entries.count else { return nil }
        return EditError(
            code: "listLonger",
            message: "\(source.displayName) shows \(shown.count) songs in “\(name)”, and \(entries.count) were "
                + "written. Unless you have added some yourself, it has songs twice: look through it in "
                + "\(source.displayName)'s app.")
    }

    /// The positions of entries that were written and are not shown.
    ///
    /// They are counted, since a list may have a song several times. Services may show another id of a song than the
    /// one that was written, so that no more are missing than the list is too short by.
    func missing(of entries: [CopyEntry]) -> Set<Int> {
        let short = entries.count - shown.count
        guard short > 0 else { return [] }
        var left = shown.filter { if case .track = $0.content { true } else { false } }
        var unmatched: [CopyEntry] = []
        for entry in entries {
            let track = EditTrack(id: entry.writtenID ?? "", otherID: entry.otherID)
            if let index = left.firstIndex(where: { EntryMatch($0, track, of: source) == .same }) {
                left.remove(at: index)
            } else {
                unmatched.append(entry)
            }
        }
        return Set(unmatched.suffix(short).map(\.position))
    }
}
