import Model
import Platform
import Upstream

/// A person's library. A page has at most ``libraryPageSize`` resources. Unreadable ones are left out of a page and
/// counted in its `entryCount`; an entry of a playlist keeps its position.
extension AppleMusicClient {
    /// The largest page that the library's lists return.
    package static let libraryPageSize = 100
    /// The most ids in one catalog lookup.
    static let maximumLookup = 300

    /// `GET /me/library/songs`, by title, with the catalog's songs for their ISRCs.
    ///
    /// - Parameters:
    ///   - storefront: the person's (``storefront()``).
    ///   - looksUpISRCs: whether songs that come without an ISRC are looked up in the catalog, with one more request
    ///     (``lookingUpISRCs(of:storefront:)``).
    /// - Throws: ``AppleMusicError``, also for an answer that is not a page; and the errors of the transport.
    package func librarySongs(
        offset: Int, storefront: String, looksUpISRCs: Bool = true
    ) async throws -> SourcePage<SourceTrack> {
        guard let list = try await readList("/me/library/songs", from: offset, includesCatalog: true)
        else { return .end }
        var page = list.page { $0.sourceTrack(storefront: storefront) }
        if looksUpISRCs { page.items = try await lookingUpISRCs(of: page.items, storefront: storefront) }
        return page
    }

    /// `GET /me/library/playlists`. Smart playlists are not among them.
    ///
    /// - Throws: as ``librarySongs(offset:storefront:looksUpISRCs:)``.
    package func libraryPlaylists(offset: Int) async throws -> SourcePage<SourcePlaylist> {
        guard let list = try await readList("/me/library/playlists", from: offset) else { return .end }
        return list.page(\.sourcePlaylist)
    }

    /// `GET /me/library/albums`.
    ///
    /// - Throws: as ``librarySongs(offset:storefront:looksUpISRCs:)``.
    package func libraryAlbums(offset: Int) async throws -> SourcePage<SourceAlbum> {
        guard let list = try await readList("/me/library/albums", from: offset) else { return .end }
        return list.page(\.sourceAlbum)
    }

    /// `GET /me/library/playlists/{id}/tracks`.
    ///
    /// - Returns: `nil` for a playlist without entries (404 with the code 40403).
    /// - Throws: as ``librarySongs(offset:storefront:looksUpISRCs:)``. A playlist that no longer exists throws
    ///   `requestRefused` with the code 40400.
    package func playlistEntries(
        of id: String, offset: Int, storefront: String
    ) async throws -> SourcePage<SourcePlaylistEntry>? {
        let path = "/me/library/playlists/\(id.percentEncoded)/tracks"
        guard let list = try await readList(path, from: offset, includesCatalog: true) else {
            if offset == 0 { return nil }
            return .end
        }
        var contents = list.resources.map { $0.value?.content(storefront: storefront) ?? .unavailable(title: nil) }
        let (places, tracks) = contents.enumerated().reduce(into: ([Int](), [SourceTrack]())) { result, place in
            guard case .track(let track) = place.element else { return }
            result.0.append(place.offset)
            result.1.append(track)
        }
        let completed = try await lookingUpISRCs(of: tracks, storefront: storefront)
        for (place, track) in zip(places, completed) {
            contents[place] = .track(track)
        }
        return list.page(
            of: contents.enumerated().map { index, content in
                SourcePlaylistEntry(position: offset + index, content: content, addedAt: nil)
            })
    }

    /// Looks up songs without an ISRC in a catalog by their catalog ids: `include=catalog` finds nothing for some
    /// songs.
    ///
    /// - Returns: the same tracks in the same order. A track whose song the catalog does not have, or lists without an
    ///   ISRC, stays without one.
    /// - Throws: as ``librarySongs(offset:storefront:looksUpISRCs:)``, except that a refused lookup changes nothing.
    package func lookingUpISRCs(of tracks: [SourceTrack], storefront: String) async throws -> [SourceTrack] {
        let wanted = Set(tracks.lazy.filter { $0.isrc == nil }.compactMap(\.catalogID).filter(\.isCatalogID)).sorted()
        guard !wanted.isEmpty else { return tracks }
        var songs: [String: Song] = [:]
        for start in stride(from: 0, to: wanted.count, by: Self.maximumLookup) {
            let ids = wanted[start..<min(start + Self.maximumLookup, wanted.count)]
            do {
                let found = try await read(
                    "/catalog/\(storefront.percentEncoded)/songs",
                    query: [(name: "ids", value: ids.joined(separator: ","))], as: ResourceList<Resource>.self)
                for resource in found.resources.compactMap(\.value) { songs[resource.id] = resource.attributes }
            } catch let error as AppleMusicError where error.isRefusal {
                // A catalog that refuses the lookup, or has none of the songs, says nothing about the library.
            }
        }
        return tracks.map { track in
            guard track.isrc == nil, let song = track.catalogID.flatMap({ songs[$0] }) else { return track }
            var track = track
            track.add(song)
            return track
        }
    }

    /// Reads a page of a list; `nil` for an empty list that Apple answers with 404. A list of an account without a
    /// cloud library is also empty, and its page reports the reason. Neither has a total, so nothing is marked as
    /// missing.
    private func readList(
        _ path: String, from offset: Int, includesCatalog: Bool = false
    ) async throws -> LibraryList? {
        // Sent for every page: the address of the next page contains only the offset.
        var query = [(name: "limit", value: String(Self.libraryPageSize)), (name: "offset", value: String(offset))]
        if includesCatalog { query.append((name: "include", value: "catalog")) }
        do {
            let answer = try await read(path, query: query, as: ResourceList<Resource>.self)
            return LibraryList(answer, of: path, from: offset)
        } catch let error as AppleMusicError where error.isEmptyList {
            return nil
        } catch let error as AppleMusicError
            where error.lacksCloudLibrary && offset == 0 && Self.libraryLists.contains(path)
        {
            return .ofNoLibrary
        }
    }

    /// The lists that every account has. The list of a playlist, in contrast, is missing once the playlist is deleted.
    private static let libraryLists: Set = ["/me/library/songs", "/me/library/playlists", "/me/library/albums"]
}

/// A page of one of the library's lists.
private struct LibraryList {
    let resources: [Lenient<Resource>]
    private let total: Int?
    private let nextOffset: Int?
    private let lacksLibrary: Bool

    init(_ answer: ResourceList<Resource>, of path: String, from offset: Int) {
        resources = answer.resources
        total = answer.total
        nextOffset = answer.nextOffset(of: path, from: offset)
        lacksLibrary = false
    }

    /// The list of an account that has no cloud library.
    static var ofNoLibrary: LibraryList { LibraryList() }

    private init() {
        (resources, total, nextOffset, lacksLibrary) = ([], nil, nil, true)
    }

    func page<Item: Sendable>(of items: [Item], unreadIDs: [String] = []) -> SourcePage<Item> {
        var page = SourcePage(
            items: items, unreadIDs: unreadIDs, entryCount: resources.count, total: total, nextOffset: nextOffset)
        if lacksLibrary { page.lacksLibrary = true }
        return page
    }

    /// - Parameter read: reads a resource's attributes, which may be missing.
    func page<Item: Sendable>(_ read: (Resource) -> Item?) -> SourcePage<Item> {
        var (items, unreadIDs): ([Item], [String]) = ([], [])
        for resource in resources.compactMap(\.value) {
            if let item = read(resource) {
                items.append(item)
            } else if !resource.id.isEmpty {
                unreadIDs.append(resource.id)
            }
        }
        return page(of: items, unreadIDs: unreadIDs)
    }
}

extension SourcePage {
    /// An empty page at the end of a list.
    fileprivate static var end: SourcePage { SourcePage(items: [], entryCount: 0, total: nil, nextOffset: nil) }
}

extension String {
    /// Catalog ids consist of digits. A single other text would make Apple refuse the whole lookup.
    fileprivate var isCatalogID: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
