/// The members of `GET /me` that other people do not have.
struct SpotifyProfileDocument: Encodable {
    struct ExplicitContent: Encodable {
        let filterEnabled = false
        let filterLocked = false

        enum CodingKeys: String, CodingKey {
            case filterEnabled = "filter_enabled"
            case filterLocked = "filter_locked"
        }
    }

    var country: String?
    var explicitContent: ExplicitContent?
    var product: String?
    var email: String?
    var followers: SpotifyFollowersDocument?
    var accountID: String
    @Nullable var displayName: String?
    var images: [SpotifyImageDocument]

    enum CodingKeys: String, CodingKey {
        case country
        case explicitContent = "explicit_content"
        case product, email, followers
        case accountID = "account_id"
        case displayName = "display_name"
        case images
    }
}

extension SpotifyPerson {
    /// The document that `GET /me` returns.
    func document(mode: SpotifySettings.Mode, scopes: Set<String>) -> SpotifyObject<SpotifyProfileDocument> {
        let isLegacy = mode == .legacy
        let isPrivate = isLegacy && scopes.contains("user-read-private")
        let images = [300, 64].map { (size: Int) in
            SpotifyImageDocument(
                height: size, url: "https://i.scdn.co/image/ab67757000003b82\(accountID.suffix(8))\(size)", width: size)
        }
        return SpotifyObject(
            "user", id: id,
            SpotifyProfileDocument(
                country: isPrivate ? country : nil, explicitContent: isPrivate ? .init() : nil,
                product: isPrivate ? "premium" : nil,
                email: isLegacy && scopes.contains("user-read-email") ? email : nil,
                followers: isLegacy ? SpotifyFollowersDocument(total: 21) : nil, accountID: accountID,
                displayName: name.isEmpty ? nil : name, images: name.isEmpty ? [] : images))
    }
}
