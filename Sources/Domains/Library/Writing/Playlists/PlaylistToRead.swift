/// A playlist whose entries are due to be read.
package struct PlaylistToRead: Codable, Sendable, Hashable {
    /// The key of the playlist's row.
    package var id: Int64
    package var sourceID: String
    /// The service's version of the entries to read; `nil` if the service does not report one.
    package var upstreamVersion: String?
    /// How many times the entries had been edited in Backline when the scan began. A list that was read before a
    /// further edit is not shown.
    package var edits: Int64?

    package init(id: Int64, sourceID: String, upstreamVersion: String?, edits: Int64? = nil) {
        (self.id, self.sourceID, self.upstreamVersion, self.edits) = (id, sourceID, upstreamVersion, edits)
    }
}
