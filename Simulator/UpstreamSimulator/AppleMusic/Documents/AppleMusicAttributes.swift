// The attributes that several kinds of resources have.

/// A picture of the catalog, in any size.
struct AppleMusicArtwork: Encodable {
    let bgColor = "d1d2d4"
    let height = 3_000
    let textColor1 = "070708"
    let textColor2 = "141516"
    let textColor3 = "2f3031"
    let textColor4 = "3a3a3c"
    var url: String
    let width = 3_000
}

/// A picture of a library, whose size may be unknown.
struct AppleMusicLibraryArtwork: Encodable {
    @Nullable var width: Int?
    @Nullable var height: Int?
    let url: String

    init(url: String, hasSize: Bool) {
        self.url = url
        width = hasSize ? 1_200 : nil
        height = hasSize ? 1_200 : nil
    }
}

struct AppleMusicDescription: Encodable {
    var standard: String
}

/// How a player names an item.
struct AppleMusicPlayParameters: Encodable {
    var id: String
    var kind: String
    var isLibrary: Bool?
    var reporting: Bool?
    var catalogId: String?
    var purchasedId: String?
    var reportingId: String?
    /// The id of a playlist that is public.
    var globalId: String?
}
