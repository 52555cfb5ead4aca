/// A country's shop.
struct Storefront {
    static let names: [String: (name: String, languages: [String])] = [
        "cz": ("Czechia", ["cs-CZ", "en-GB"]), "fr": ("France", ["fr-FR", "en-GB"]),
        "us": ("United States", ["en-US", "es-MX"]),
    ]

    private struct Attributes: Encodable {
        let explicitContentPolicy = "allowed"
        var defaultLanguageTag: String
        var name: String
        var supportedLanguageTags: [String]
    }

    let id: String

    init(_ id: String) {
        self.id = id
    }

    var document: AppleMusicListDocument {
        let (name, languages) = Self.names[id] ?? (id, ["en-GB"])
        let attributes = Attributes(
            defaultLanguageTag: languages[0], name: name, supportedLanguageTags: languages)
        return AppleMusicListDocument(data: [
            AppleMusicResource(
                id: id, type: "storefronts", href: "/v1/storefronts/\(id)", attributes: attributes)
        ])
    }
}
