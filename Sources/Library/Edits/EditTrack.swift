import Model

/// A song as an edit writes it to a service.
package struct EditTrack: Codable, Sendable, Hashable {
    /// The id that is written: Spotify's, or Apple Music's of the catalog or, without one, of the library.
    package var id: String
    /// Another id under which the service may show it: Apple Music's of the library.
    package var otherID: String?
    /// The key of the source track; `nil` for a song that the library does not know yet.
    package var sourceTrack: Int64?

    package init(id: String, otherID: String? = nil, sourceTrack: Int64? = nil) {
        (self.id, self.otherID, self.sourceTrack) = (id, otherID, sourceTrack)
    }
}

/// Whether an entry of a playlist is a song that was written.
enum EntryMatch: Sendable, Hashable {
    case same
    case other
    /// The two have no ids of one kind: an entry of Apple Music may name its library's id alone.
    case unknown

    init(_ entry: SourcePlaylistEntry, _ track: EditTrack, of source: MusicSource) {
        guard case .track(let shown) = entry.content else {
            self = .other
            return
        }
        let (shownIDs, trackIDs) = (
            [shown.sourceID, shown.catalogID].compactMap { $0 }, [track.id, track.otherID].compactMap { $0 }
        )
        if trackIDs.contains(where: shownIDs.contains) {
            self = .same
        } else if source == .appleMusic, !shownIDs.contains(where: { id in trackIDs.contains { $0.isOfKind(id) } }) {
            self = .unknown
        } else {
            self = .other
        }
    }
}

extension String {
    /// Whether two of Apple Music's ids are both of the catalog, whose ids are digits, or both of a library.
    fileprivate func isOfKind(_ other: String) -> Bool { isCatalogID == other.isCatalogID }

    /// Ids of Apple Music's catalog are digits; those of libraries begin with a letter and a point.
    var isCatalogID: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
