/// What the catalogs of services have, and searches find. The raw values are in the API.
package enum CatalogType: String, Sendable, Hashable, Codable, CaseIterable {
    case track, album, artist, playlist
}
