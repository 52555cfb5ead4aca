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
}
