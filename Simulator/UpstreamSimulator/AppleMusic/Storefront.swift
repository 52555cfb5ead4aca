/// A country's shop.
struct Storefront {
    static let names: [String: (name: String, languages: [String])] = [
        "cz": ("Czechia", ["cs-CZ", "en-GB"]), "fr": ("France", ["fr-FR", "en-GB"]),
        "us": ("United States", ["en-US", "es-MX"]),
    ]

    let id: String

    init(_ id: String) {
        self.id = id
    }

    var document: String {
        let (name, languages) = Self.names[id] ?? (id, ["en-GB"])
        var json = JSONWriter()
        json.object { json in
            json.array("data") { json in
                json.object { json in
                    json.string("id", id)
                    json.string("type", "storefronts")
                    json.string("href", "/v1/storefronts/\(id)")
                    json.object("attributes") { json in
                        json.string("explicitContentPolicy", "allowed")
                        json.string("defaultLanguageTag", languages[0])
                        json.string("name", name)
                        json.array("supportedLanguageTags") { json in
                            for language in languages { json.string(nil, language) }
                        }
                    }
                }
            }
        }
        return json.text
    }
}
