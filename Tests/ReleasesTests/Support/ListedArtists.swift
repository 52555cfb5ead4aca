import Model
import Synchronization

@testable import Releases

/// A service with a few artists, which answers in pages and counts the calls.
final class ListedArtists: Sendable {
    struct Artist: Sendable {
        var id: String
        var name: String
        var albums: [CatalogAlbum]
    }

    private struct State: Sendable {
        var artists: [Artist]
        var searches = 0
        var pages: [String: Int] = [:]
        /// Thrown by the next calls, one after the other.
        var failures: [ProviderFailure] = []
    }

    let source: MusicSource
    private let hasTotals: Bool
    private let pageSize: Int
    private let state: Mutex<State>

    init(_ artists: [Artist], at source: MusicSource = .spotify, pageSize: Int = 2) {
        self.source = source
        self.pageSize = pageSize
        hasTotals = source == .spotify
        state = Mutex(State(artists: artists))
    }

    /// How many pages were read, and how many searches were made, since the last time.
    func calls() -> (pages: Int, searches: Int) {
        state.withLock { state in
            defer { (state.pages, state.searches) = ([:], 0) }
            return (state.pages.values.reduce(0, +), state.searches)
        }
    }

    func set(_ albums: [CatalogAlbum], of id: String) {
        state.withLock { state in
            for index in state.artists.indices where state.artists[index].id == id {
                state.artists[index].albums = albums
            }
        }
    }

    func fail(_ kinds: ProviderFailure.Kind..., until: Timestamp? = nil) {
        let provider = source.provider ?? .spotify
        state.withLock { state in
            state.failures += kinds.map { ProviderFailure(provider, $0, until: until, message: "It failed: \($0).") }
        }
    }

    func catalog(country: String = "", mostPages: Int = 10) -> ReleaseCatalog {
        ReleaseCatalog(
            source: source, country: country, mostPages: mostPages,
            find: { [self] name in
                try state.withLock { state in
                    state.searches += 1
                    if !state.failures.isEmpty { throw state.failures.removeFirst() }
                    return state.artists.filter { $0.name.contains(name) || name.contains($0.name) }
                        .map { CatalogArtist(sourceID: $0.id, name: $0.name) }
                }
            },
            albums: { [self] id, offset in
                try state.withLock { state in
                    state.pages[id, default: 0] += 1
                    if !state.failures.isEmpty { throw state.failures.removeFirst() }
                    guard let artist = state.artists.first(where: { $0.id == id }) else { return nil }
                    let items = Array(artist.albums.dropFirst(offset).prefix(pageSize))
                    let next = offset + pageSize
                    return SourcePage(
                        items: items, entryCount: items.count, total: hasTotals ? artist.albums.count : nil,
                        nextOffset: next < artist.albums.count ? next : nil)
                }
            })
    }
}
