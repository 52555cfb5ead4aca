import LibraryWriting
import Model

/// A song as an edit writes it to a service.
package struct EditTrack: Codable, Sendable, Hashable {
    /// The id that is written: Spotify's id, or Apple Music's catalog id, or its library id if there is no catalog id.
    package var id: String
    /// Another id under which the service may show the song: Apple Music's library id.
    package var otherID: String?
    /// The key of the source track; `nil` if the song is not in the library yet.
    package var sourceTrack: Int64?

    package init(id: String, otherID: String? = nil, sourceTrack: Int64? = nil) {
        (self.id, self.otherID, self.sourceTrack) = (id, otherID, sourceTrack)
    }
}

/// Whether an entry of a playlist is a song that was written.
enum EntryMatch: Sendable, Hashable {
    case same
    case other
    /// The ids are of different kinds and cannot be compared: an Apple Music entry may only have a library id.
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
    /// Whether two Apple Music ids are of the same kind: both catalog ids, or both library ids.
    fileprivate func isOfKind(_ other: String) -> Bool { isCatalogID == other.isCatalogID }
}
