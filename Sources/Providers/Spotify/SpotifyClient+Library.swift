import Foundation
import Model
import Platform
import Upstream

/// A person's library. A page has at most ``libraryPageSize`` entries. Unreadable items are left out of a page and
/// counted in its `entryCount`; an entry of a playlist keeps its position.
extension SpotifyClient {
    /// Spotify's limit for lists.
    package static let libraryPageSize = 50

    /// `GET /me/tracks`, newest first. It needs `user-library-read`.
    ///
    /// - Throws: ``SpotifyError``, also for an answer that is not a page; and the errors of `send`.
    package func savedTracks(offset: Int) async throws -> SourcePage<SourceTrack> {
        let page = try await read("/me/tracks", query: Self.paging(from: offset), as: Page<SavedTrack>.self)
        return page.sourcePage(at: offset, items: page.values.compactMap(\.sourceTrack))
    }

    /// `GET /me/playlists`: a person's own playlists and those that they follow. It needs `playlist-read-private`, and
    /// `playlist-read-collaborative` for collaborative ones.
    ///
    /// - Throws: as ``savedTracks(offset:)``.
    package func playlists(offset: Int) async throws -> SourcePage<SourcePlaylist> {
        let page = try await read("/me/playlists", query: Self.paging(from: offset), as: Page<PlaylistObject>.self)
        return page.sourcePage(at: offset, items: page.values.compactMap(\.sourcePlaylist))
    }

    /// `GET /me/albums`, newest first. It needs `user-library-read`.
    ///
    /// - Throws: as ``savedTracks(offset:)``.
    package func savedAlbums(offset: Int) async throws -> SourcePage<SourceAlbum> {
        let page = try await read("/me/albums", query: Self.paging(from: offset), as: Page<SavedAlbum>.self)
        return page.sourcePage(at: offset, items: page.values.compactMap(\.sourceAlbum))
    }

    /// `GET /playlists/{id}/items`. It needs `playlist-read-private`.
    ///
    /// All apps have this path. Its predecessor `/tracks` has been closed to apps in development mode since March 2026,
    /// so it is never used.
    ///
    /// - Returns: `forbidden` for somebody else's playlist, which apps in development mode may not read; `notFound` for
    ///   one that no longer exists.
    /// - Throws: as ``savedTracks(offset:)``.
    package func playlistEntries(of id: String, offset: Int) async throws -> Answer<SourcePage<SourcePlaylistEntry>> {
        let answer = try await read(
            "/playlists/\(id.percentEncoded)/items",
            // Without `episode`, episodes come as objects that look like tracks.
            query: Self.paging(from: offset) + [(name: "additional_types", value: "track,episode")],
            as: Page<PlaylistEntry>.self, expecting: [.forbidden, .notFound])
        switch answer {
        case .value(let page):
            let entries = page.items.enumerated().map { index, item in
                SourcePlaylistEntry(
                    position: offset + index, content: item.value?.content ?? .unavailable(title: nil),
                    addedAt: item.value?.addedAt)
            }
            return .value(page.sourcePage(at: offset, items: entries))
        case .nothing: return .nothing
        case .notFound(let reason): return .notFound(reason: reason)
        case .forbidden(let reason): return .forbidden(reason: reason)
        }
    }

    private static func paging(from offset: Int) -> [(name: String, value: String)] {
        [("limit", String(libraryPageSize)), ("offset", String(offset))]
    }
}

/// A paging object.
struct Page<Item: Decodable & Sendable>: Decodable, Sendable {
    /// Required: an answer without it says nothing about the list.
    var items: [Lenient<Item>]
    var total: Int?
    /// The address of the next page.
    var next: String?

    enum CodingKeys: String, CodingKey {
        case items, total, next
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        items = try container.decode([Lenient<Item>].self, forKey: .items)
        total = container.number(.total)
        next = container.text(.next)
    }

    var values: [Item] { items.compactMap(\.value) }

    func sourcePage<Value: Sendable>(at offset: Int, items values: [Value]) -> SourcePage<Value> {
        SourcePage(items: values, entryCount: items.count, total: total, nextOffset: nextOffset(after: offset))
    }

    /// Only the offset is taken from the next page's address. It always increases, so reading a list ends.
    private func nextOffset(after offset: Int) -> Int? {
        guard let next else { return nil }
        let named = URLComponents(string: next)?.queryItems?.first { $0.name == "offset" }?.value
        return PageOffset.following(offset, count: items.count, named: named)
    }
}
