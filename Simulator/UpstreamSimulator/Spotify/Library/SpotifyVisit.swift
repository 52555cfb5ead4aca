import Foundation

/// A Web API call by an app to which a person has given access.
struct SpotifyVisit: Sendable {
    let call: Call
    let person: SpotifyPerson
    let scopes: Set<String>
    let mode: SpotifySettings.Mode

    /// The path below `/spotify/v1`, with `{id}` in place of ids, such as `playlists/{id}/items`.
    let shape: String
    /// The id in the path; empty if there is none.
    let id: String

    init(_ call: Call, person: SpotifyPerson, scopes: Set<String>, mode: SpotifySettings.Mode) {
        self.call = call
        self.person = person
        self.scopes = scopes
        self.mode = mode
        let (shape, id) = Self.split(call.target.path)
        self.shape = shape
        self.id = id
    }

    /// The kinds of objects whose second part of the path is an id.
    private static let kinds: Set<Substring> = [
        "albums", "artists", "tracks", "playlists", "users", "shows", "episodes", "audiobooks", "chapters",
        "audio-features", "audio-analysis",
    ]

    /// The shape of a path and its id.
    static func split(_ path: String) -> (shape: String, id: String) {
        var parts = path.split(separator: "/").dropFirst(2)
        guard let kind = parts.first, kinds.contains(kind), parts.count > 1 else {
            return (parts.joined(separator: "/"), "")
        }
        let index = parts.index(after: parts.startIndex)
        let id = String(parts[index])
        parts[index] = "{id}"
        return (parts.joined(separator: "/"), id)
    }

    func require(_ scope: String) throws(SpotifyRefusal) {
        guard scopes.contains(scope) else { throw .scope }
    }

    /// The decoded body, or an empty object if there is none.
    func document<Document: Decodable>(as type: Document.Type) throws(SpotifyRefusal) -> Document {
        let body = call.body.isEmpty ? "{}" : call.body
        guard let document = try? JSONDecoder().decode(type, from: Data(body.utf8)) else {
            throw .badRequest("Error parsing JSON.")
        }
        return document
    }

    /// The address of the list without its query, as used in the links of a page.
    var url: String { call.origin + call.target.path }
    /// The beginning of all addresses of the API.
    var base: String { call.origin + "/spotify/v1" }

    /// The parameters that the links of a page repeat, as received.
    var linkQuery: String { repeated(["fields", "additional_types", "market", "include_groups", "time_range"]) }

    /// The same for the page of items inside a playlist: `fields` is about the playlist.
    var embeddedLinkQuery: String { repeated(["additional_types", "market"]) }

    private func repeated(_ names: [String]) -> String {
        call.target.parameters.filter { names.contains($0.name) }.map { String($0.raw) }.joined(separator: "&")
    }

    /// The members that the caller wants of a playlist or its items.
    func fields() throws(SpotifyRefusal) -> SpotifyFields {
        guard let text = call.target["fields"], !text.isEmpty else { return .everything }
        return try SpotifyFields(text)
    }

    /// Whether the caller can deal with episodes.
    var takesEpisodes: Bool { call.target.list("additional_types").contains("episode") }

    func documents(_ catalog: RecordingCatalog, titles: [UInt32: String] = [:]) -> SpotifyDocuments {
        // The country of the account takes precedence over the one that the call names.
        let market = call.target["market"].map { _ in person.country }
        return SpotifyDocuments(catalog: catalog, mode: mode, market: market, titles: titles)
    }

    /// Whether the endpoint was removed from development mode in February 2026 or earlier. Such endpoints answer 403.
    var isRemoved: Bool {
        guard mode == .dev2026 else { return false }
        switch shape {
        case "tracks", "albums", "artists", "episodes", "shows", "chapters", "audiobooks", "playlists/{id}/tracks",
            "playlists/{id}/followers", "playlists/{id}/followers/contains", "artists/{id}/top-tracks",
            "artists/{id}/related-artists", "markets", "recommendations", "audio-features", "audio-features/{id}",
            "audio-analysis/{id}", "me/following":
            return call.method != .get || shape != "me/following"
        case "me/tracks", "me/albums", "me/episodes", "me/shows", "me/audiobooks": return call.method != .get
        default:
            return shape.hasPrefix("users/") || shape.hasPrefix("browse/")
                || (shape.hasPrefix("me/") && shape.hasSuffix("/contains") && shape != "me/library/contains")
        }
    }
}
