// Items of a service's catalog as the service describes them. Every member except ids and names may be missing.

/// A picture at a service, in one size.
package struct CatalogPicture: Codable, Sendable, Hashable {
    /// The picture's address at the service.
    package var address: String
    /// The width in pixels; `nil` if the service does not report it.
    package var width: Int?

    package init(address: String, width: Int?) {
        self.address = address
        self.width = width
    }
}

/// An artist or album that another item refers to.
package struct CatalogReference: Codable, Sendable, Hashable {
    /// The item's id at the service; `nil` if the service gives none.
    package var sourceID: String?
    package var name: String

    package init(sourceID: String?, name: String) {
        self.sourceID = sourceID
        self.name = name
    }
}

extension Picture {
    /// - Returns: `nil` if `sizes` is empty.
    package init?(sizes: [CatalogPicture]) {
        self.init(sizes.map { Offer(address: $0.address, width: $0.width) })
    }
}

extension [CatalogReference] {
    /// The names, separated by commas.
    package var joinedNames: String { map(\.name).filter { !$0.isEmpty }.joined(separator: ", ") }
}

package struct CatalogArtist: Codable, Sendable, Hashable {
    package var sourceID: String
    package var name: String
    package var genres: [String] = []
    /// The pictures, in the service's order.
    package var pictures: [CatalogPicture] = []
    /// The URL of its page at the service.
    package var url: String?

    package init(sourceID: String, name: String) {
        self.sourceID = sourceID
        self.name = name
    }
}

package struct CatalogTrack: Codable, Sendable, Hashable {
    package var sourceID: String
    package var title: String
    package var artists: [CatalogReference] = []
    package var album: CatalogReference?
    package var durationMs: Int?
    /// The ISRC: twelve letters and digits in upper case (``ISRC``).
    package var isrc: String?
    package var isExplicit: Bool?
    package var discNumber: Int?
    package var trackNumber: Int?
    package var releaseDate: ReleaseDate?
    package var pictures: [CatalogPicture] = []
    package var url: String?

    package init(sourceID: String, title: String) {
        self.sourceID = sourceID
        self.title = title
    }
}

package struct CatalogAlbum: Codable, Sendable, Hashable {
    /// What a service calls an album.
    package enum Kind: String, Codable, Sendable, Hashable {
        /// Not a single, as far as the service says.
        case album
        /// A single or an EP.
        case single
        case compilation
    }

    package var sourceID: String
    package var name: String
    /// `nil` if the service does not say.
    package var kind: Kind?
    package var artists: [CatalogReference] = []
    package var releaseDate: ReleaseDate?
    package var trackCount: Int?
    package var genres: [String] = []
    package var pictures: [CatalogPicture] = []
    package var url: String?

    package init(sourceID: String, name: String) {
        self.sourceID = sourceID
        self.name = name
    }
}

package struct CatalogPlaylist: Codable, Sendable, Hashable {
    package var sourceID: String
    package var name: String
    package var description: String?
    package var ownerName: String?
    package var trackCount: Int?
    package var pictures: [CatalogPicture] = []
    package var url: String?

    package init(sourceID: String, name: String) {
        self.sourceID = sourceID
        self.name = name
    }
}
