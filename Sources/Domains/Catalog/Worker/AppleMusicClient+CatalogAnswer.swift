import AppleMusic
import Catalog
import Contracts
import Model

extension AppleMusicClient {
    /// Asks in the country that the question names. If it names none, because the person's country is not known yet,
    /// Apple is asked for the country first.
    func catalogAnswer(to item: CatalogItemPayload) async throws -> CatalogAnswer {
        let country = item.market.isEmpty ? try await storefront() : item.market
        return switch item.type {
        case .track: try await song(item.id, storefront: country).map { .item(CatalogItem(.track($0))) } ?? .missing
        case .album: try await albumAnswer(item, country)
        case .artist: try await artistAnswer(item, country)
        case .playlist: try await playlistAnswer(item, country)
        }
    }

    private func albumAnswer(_ item: CatalogItemPayload, _ country: String) async throws -> CatalogAnswer {
        if item.offset > 0 {
            let page = try await tracks(ofAlbum: item.id, offset: item.offset, storefront: country)
            return page.map { .item(CatalogItem(nil, tracks: $0)) } ?? .missing
        }
        guard let (album, tracks) = try await album(item.id, storefront: country) else { return .missing }
        return .item(CatalogItem(.album(album), tracks: tracks))
    }

    private func artistAnswer(_ item: CatalogItemPayload, _ country: String) async throws -> CatalogAnswer {
        if item.offset > 0 {
            let page = try await albums(ofArtist: item.id, offset: item.offset, storefront: country)
            return page.map { .item(CatalogItem(nil, albums: $0)) } ?? .missing
        }
        guard let (artist, albums) = try await artist(item.id, storefront: country) else { return .missing }
        return .item(CatalogItem(.artist(artist), albums: albums))
    }

    private func playlistAnswer(_ item: CatalogItemPayload, _ country: String) async throws -> CatalogAnswer {
        if item.offset > 0 {
            let page = try await tracks(ofPlaylist: item.id, offset: item.offset, storefront: country)
            return page.map { .item(CatalogItem(nil, tracks: $0)) } ?? .missing
        }
        guard let (playlist, tracks) = try await playlist(item.id, storefront: country) else { return .missing }
        return .item(CatalogItem(.playlist(playlist), tracks: tracks))
    }
}
