/// A playlist whose entries have to be read.
package struct PlaylistToRead: Codable, Sendable, Hashable {
    /// Its key.
    package var id: Int64
    package var sourceID: String
    /// The service's version of the entries to read; `nil` where the service tells none.
    package var upstreamVersion: String?
    /// How often its entries had been changed here when the reading began. Entries of a list before a further change
    /// are not shown.
    package var edits: Int64?

    package init(id: Int64, sourceID: String, upstreamVersion: String?, edits: Int64? = nil) {
        (self.id, self.sourceID, self.upstreamVersion, self.edits) = (id, sourceID, upstreamVersion, edits)
    }
}
