import Model

/// The new playlist as its service currently shows it.
struct CopySnapshot {
    let shown: [SourcePlaylistEntry]
    let source: MusicSource
    /// The service's version of the list; `nil` if the service does not report one.
    var version: String?

    /// A notice for the user to check a list that is longer than what was written, since it may contain songs twice.
    func notice(of entries: [CopyEntry], name: String) -> EditError? {
        guard shown.count > entries.count else { return nil }
        return EditError(
            code: "listLonger",
            message: "\(source.displayName) shows \(shown.count) songs in “\(name)”, but only \(entries.count) were "
                + "written. Unless you added songs yourself, it contains some of them twice: check it in "
                + "\(source.displayName)'s app.")
    }

    /// The positions of entries that were written but are not shown.
    ///
    /// Entries are matched one by one, since a list may contain a song several times. Services may show a different id
    /// for a song than the one that was written, so at most as many entries are reported missing as the list is too
    /// short by.
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
