/// An object of the Web API: the members with which every object identifies itself, and those of its kind.
struct SpotifyObject<Members: Encodable>: Encodable {
    let identity: SpotifyIdentity
    let members: Members

    /// - Parameter type: such as `track`.
    init(_ type: String, id: String, _ members: Members) {
        identity = SpotifyIdentity(type, id: id)
        self.members = members
    }

    func encode(to encoder: any Encoder) throws {
        try identity.encode(to: encoder)
        try members.encode(to: encoder)
    }
}

struct SpotifyIdentity: Encodable {
    struct ExternalURLs: Encodable {
        var spotify: String
    }

    let externalURLs: ExternalURLs
    let href: String
    let id: String
    let type: String
    let uri: String

    init(_ type: String, id: String) {
        externalURLs = ExternalURLs(spotify: "https://open.spotify.com/\(type)/\(id)")
        href = "https://api.spotify.com/v1/\(type)s/\(id)"
        self.id = id
        self.type = type
        uri = "spotify:\(type):\(id)"
    }

    enum CodingKeys: String, CodingKey {
        case externalURLs = "external_urls"
        case href, id, type, uri
    }
}
