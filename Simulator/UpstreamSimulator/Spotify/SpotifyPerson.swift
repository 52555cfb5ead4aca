/// A person with a Spotify account.
struct SpotifyPerson: Sendable, Equatable {
    var id: String
    /// The account id, which unlike the id never changes; `/me` has had it since May 2026.
    var accountID: String
    var name: String
    var email: String
    var country: String

    static let all = [
        SpotifyPerson(
            id: "demo-listener", accountID: "acc6f0c1d1b64e0a9c1d6c7e2f3a4b5c", name: "Dana Novák",
            email: "dana@example.org", country: "CZ"),
        SpotifyPerson(
            id: "second-listener", accountID: "acc18b2f7705f4dd1a8a5b2c9e6d7f80", name: "Lee O'Hara",
            email: "lee@example.org", country: "IE"),
        SpotifyPerson(
            id: "nameless-listener", accountID: "accd9a4e6c1b08247f3be5d6a7c8b9e0", name: "",
            email: "nameless@example.org", country: "SE"),
    ]

    init(id: String, accountID: String, name: String, email: String, country: String) {
        self.id = id
        self.accountID = accountID
        self.name = name
        self.email = email
        self.country = country
    }

    /// Returns `nil` for an id that is neither in ``all`` nor one of `listener-1` to `listener-9999`, which are for
    /// tests with many people.
    init?(id: String) {
        if let person = Self.all.first(where: { $0.id == id }) {
            self = person
            return
        }
        guard id.hasPrefix("listener-"), let number = Int(id.dropFirst("listener-".count)),
            (1...9_999).contains(number), id == "listener-\(number)"
        else { return nil }
        let digits = String(Mix.of(UInt64(number), 0xacc), radix: 16)
        self.init(
            id: id, accountID: "acc" + String(repeating: "0", count: 29 - digits.count) + digits,
            name: "Listener \(number)", email: "\(id)@example.org", country: "CZ")
    }

    /// The document that `GET /me` returns.
    func document(mode: SpotifySettings.Mode, scopes: Set<String>) -> String {
        var json = JSONWriter()
        json.object { json in
            if mode == .legacy {
                if scopes.contains("user-read-private") {
                    json.string("country", country)
                    json.object("explicit_content") { json in
                        json.bool("filter_enabled", false)
                        json.bool("filter_locked", false)
                    }
                    json.string("product", "premium")
                }
                if scopes.contains("user-read-email") { json.string("email", email) }
                json.object("followers") { json in
                    json.null("href")
                    json.number("total", 21)
                }
            }
            json.string("account_id", accountID)
            if name.isEmpty { json.null("display_name") } else { json.string("display_name", name) }
            json.object("external_urls") { $0.string("spotify", "https://open.spotify.com/user/\(id)") }
            json.string("href", "https://api.spotify.com/v1/users/\(id)")
            json.string("id", id)
            json.array("images") { json in
                guard !name.isEmpty else { return }
                for size in [300, 64] {
                    json.object { json in
                        json.number("height", size)
                        json.string("url", "https://i.scdn.co/image/ab67757000003b82\(accountID.suffix(8))\(size)")
                        json.number("width", size)
                    }
                }
            }
            json.string("type", "user")
            json.string("uri", "spotify:user:\(id)")
        }
        return json.text
    }
}
