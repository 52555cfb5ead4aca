/// A playlist whose entries have to be read.
package struct PlaylistToRead: Codable, Sendable, Hashable {
    /// Its key.
    package var id: Int64
    package var sourceID: String
    /// The service's version of the entries to read; `nil` where the service tells none.
    package var upstreamVersion: String?

    package init(id: Int64, sourceID: String, upstreamVersion: String?) {
        (self.id, self.sourceID, self.upstreamVersion) = (id, sourceID, upstreamVersion)
    }
}
