import Model

/// What a service answers about artists and their albums. The closures throw ``ProviderFailure``.
package struct ReleaseCatalog: Sendable {
    package let source: MusicSource
    /// The catalog's country; empty for a service that has one catalog.
    let country: String
    /// The most pages that are read of a list.
    let mostPages: Int
    /// Searches for artists by name, the best match first.
    let find: @Sendable (_ name: String) async throws -> [CatalogArtist]
    /// A page of an artist's albums and singles; `nil` for an unknown artist.
    let albums: @Sendable (_ artistID: String, _ offset: Int) async throws -> SourcePage<CatalogAlbum>?

    package init(
        source: MusicSource, country: String = "", mostPages: Int,
        find: @escaping @Sendable (String) async throws -> [CatalogArtist],
        albums: @escaping @Sendable (String, Int) async throws -> SourcePage<CatalogAlbum>?
    ) {
        (self.source, self.country, self.mostPages) = (source, country, mostPages)
        (self.find, self.albums) = (find, albums)
    }
}

/// An artist whom a person ranks or listens to most.
package struct WantedArtist: Sendable, Hashable {
    /// The folded name, by which artists of different people are the same.
    package let key: String
    package let name: String
    /// The artist's ids in the person's list, by service.
    package var ids: [MusicSource: String]

    package init(key: String, name: String, ids: [MusicSource: String] = [:]) {
        (self.key, self.name, self.ids) = (key, name, ids)
    }
}
