/// The types of items in the services' catalogs, which searches find. The raw values are part of the API.
package enum CatalogType: String, Sendable, Hashable, Codable, CaseIterable {
    case track, album, artist, playlist
}
