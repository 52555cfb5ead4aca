/// A change of a playlist through the Web API.
enum SpotifyPlaylistEdit: Sendable {
    /// Adds at a position, or at the end. What is already in the playlist is added again.
    case add([SavedPlaylist.Content], at: Int?)
    case replace([SavedPlaylist.Content])
    /// Moves `length` entries from `start` to in front of the entry that was at `before`.
    case reorder(start: Int, length: Int, before: Int)
    /// Removes every occurrence.
    case remove([SavedPlaylist.Content])
    case details(Details)

    /// What `PUT /playlists/{id}` changes; missing members do not change.
    struct Details: Sendable, Decodable {
        var name: String?
        var `public`: Bool?
        var collaborative: Bool?
        var description: String?
    }

    /// Applies the change to a playlist.
    ///
    /// - Parameter addedAt: the date of new entries, in seconds since 1970.
    /// - Throws: the 400 for a position that the playlist does not have; then nothing has changed.
    func apply(to playlist: inout SavedPlaylist, addedAt: UInt32) throws(SpotifyRefusal) {
        let outOfBounds = SpotifyRefusal.badRequest("Index out of bounds")
        switch self {
        case .add(let contents, let position):
            let place = position ?? playlist.items.count
            guard (0...playlist.items.count).contains(place) else { throw outOfBounds }
            playlist.items.insert(
                contentsOf: contents.map { SavedPlaylist.Item(content: $0, addedAt: addedAt) }, at: place)
        case .replace(let contents):
            playlist.items = contents.map { SavedPlaylist.Item(content: $0, addedAt: addedAt) }
        case .reorder(let start, let length, let before):
            guard start >= 0, length > 0, start <= playlist.items.count - length,
                (0...playlist.items.count).contains(before)
            else { throw outOfBounds }
            let moved = Array(playlist.items[start..<start + length])
            playlist.items.removeSubrange(start..<start + length)
            // The entries that were taken out before the target position no longer count.
            let place = before <= start ? before : max(start, before - length)
            playlist.items.insert(contentsOf: moved, at: place)
        case .remove(let contents):
            playlist.items.removeAll { contents.contains($0.content) }
        case .details(let details):
            if let name = details.name { playlist.name = name }
            if let isPublic = details.public { playlist.isPublic = isPublic }
            if let isCollaborative = details.collaborative { playlist.isCollaborative = isCollaborative }
            if let description = details.description { playlist.description = Self.escaped(description) }
        }
    }

    /// A description as the service sends it.
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#x27;")
    }
}
