/// An external service that Backline calls. The raw values are used in the API and the database.
package enum Provider: String, Sendable, Hashable, CaseIterable {
    case spotify
    case appleMusic
    case gemini
    case ticketmaster
    /// Used for signing in. Only the person's identity is stored.
    case google
    /// Asked for previews. It needs no account.
    case itunes
    /// The administrator's server with a language model. People do not need an account there.
    case aiEndpoint

    /// The name of the service.
    package var displayName: String {
        switch self {
        case .spotify: "Spotify"
        case .appleMusic: "Apple Music"
        case .gemini: "Gemini"
        case .ticketmaster: "Ticketmaster"
        case .google: "Google"
        case .itunes: "iTunes"
        case .aiEndpoint: "The AI endpoint"
        }
    }
}
