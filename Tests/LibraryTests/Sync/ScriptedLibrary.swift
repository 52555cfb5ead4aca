import Model
import Synchronization

@testable import LibraryWriting

/// A service's library as the domain sees it: paged lists, which a test changes between and during syncs.
final class ScriptedLibrary: Sendable {
    struct Content: Sendable {
        var account = "account-1"
        var formerAccount: String?
        var storefront = "de"
        var tracks: [SourceTrack] = []
        var playlists: [SourcePlaylist] = []
        var entries: [String: [SourcePlaylistEntry]] = [:]
        var forbidden: Set<String> = []
        var albums: [SourceAlbum] = []
        /// Whether pages report the total.
        var hasTotals = true
        /// The number of tracks that the total counts but no page contains.
        var hidden = 0
        /// Tracks of which pages only contain the ids.
        var unread: Set<String> = []
        /// Tracks that are replaced on pages by an entry of which nothing can be read.
        var nulls: Set<String> = []
        /// The number of tracks after which the list breaks off, while the total counts all.
        var breaksOffAt: Int?
        /// The number of entries after which each playlist breaks off.
        var entriesBreakOffAt: Int?
        /// Whether the service reports that the account has no library: its pages have no total, and nothing else.
        var lacksLibrary = false
        /// The failures of requests, by the name of the list, or `account`.
        var failures: [String: ProviderFailure] = [:]
    }

    private struct State {
        var content = Content()
        var requests: [String] = []
        var changes: [Int: @Sendable (inout Content) -> Void] = [:]
    }

    let source: MusicSource
    let pageSize: Int
    private let state = Mutex(State())

    init(_ source: MusicSource, pageSize: Int) {
        self.source = source
        self.pageSize = pageSize
    }

    var content: Content { state.withLock { $0.content } }

    func change(_ edit: (inout Content) -> Void) {
        state.withLock { edit(&$0.content) }
    }

    /// Changes the library after a number of further requests.
    func change(afterRequests count: Int, _ edit: @escaping @Sendable (inout Content) -> Void) {
        state.withLock { $0.changes[$0.requests.count + count] = edit }
    }

    /// The requests since the last call: `tracks 0`, `entries p1 50`, ….
    func takeRequests() -> [String] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    var librarySource: LibrarySource {
        LibrarySource(
            source, pageSize: pageSize,
            account: { [self] in
                if let failure = content.failures["account"] { throw failure }
                return content.account
            },
            formerAccount: { [self] in content.formerAccount },
            storefront: source == .appleMusic
                ? { @Sendable [self] in
                    state.withLock { state in
                        state.requests.append("storefront")
                        return state.content.storefront
                    }
                } : nil,
            tracks: { [self] offset in
                let content = content
                var page = try page("tracks", offset, hidden: content.hidden, end: content.breaksOffAt) { $0.tracks }
                page.unreadIDs = page.items.map(\.sourceID).filter { content.unread.contains($0) }
                page.items.removeAll { content.unread.union(content.nulls).contains($0.sourceID) }
                return page
            },
            playlists: { [self] in try page("playlists", $0) { $0.playlists } },
            entries: { [self] id, offset in
                let content = content
                if content.forbidden.contains(id) { return .forbidden }
                let page = try page("entries \(id)", offset, end: content.entriesBreakOffAt) { $0.entries[id] ?? [] }
                return content.entries[id, default: []].isEmpty && offset == 0 ? .empty : .page(page)
            },
            albums: { [self] in try page("albums", $0) { $0.albums } })
    }

    private func page<Item: Sendable>(
        _ name: String, _ offset: Int, hidden: Int = 0, end: Int? = nil, _ list: (Content) -> [Item]
    ) throws -> SourcePage<Item> {
        let page: SourcePage<Item>
        let change: (@Sendable (inout Content) -> Void)?
        (page, change) = try state.withLock { state in
            state.requests.append("\(name) \(offset)")
            if let failure = state.content.failures[String(name.prefix { $0 != " " })] { throw failure }
            let all = list(state.content)
            let limit = min(pageSize, max(0, (end ?? .max) - offset))
            let items = Array(all.dropFirst(offset).prefix(limit))
            let (total, next) = (all.count + hidden, offset + pageSize)
            let hasMore = next < total && (end.map { next < $0 } ?? true)
            var page = SourcePage(
                items: items, entryCount: items.count, total: state.content.hasTotals ? total : nil,
                nextOffset: hasMore ? next : nil)
            if state.content.lacksLibrary {
                page = SourcePage(items: [], entryCount: 0, total: nil, nextOffset: nil)
                page.lacksLibrary = true
            }
            return (page, state.changes.removeValue(forKey: state.requests.count))
        }
        if let change { state.withLock { change(&$0.content) } }
        return page
    }
}

extension SourceTrack {
    /// A track with a number, saved at the second with that number unless specified otherwise.
    static func sample(_ number: Int, _ source: MusicSource, savedAt: Int? = nil, isrc: String? = nil) -> SourceTrack {
        let id = source == .spotify ? "s\(number)" : "i.\(number)"
        var track = SourceTrack(
            sourceID: id, title: "Song \(number)", artist: "Artist \(number % 7)", album: "Album \(number % 11)")
        track.addedAt = Timestamp(microseconds: Int64(savedAt ?? number) * 1_000_000)
        track.isrc = isrc
        return track
    }
}
