/// A service outside that Backline asks. The raw values stand in the API and the database.
package enum Provider: String, Sendable, Hashable, CaseIterable {
    case spotify
    case appleMusic
    case gemini
    case ticketmaster
    /// Signing in; nothing of it is kept but who the person is.
    case google

    /// As the provider calls itself.
    package var displayName: String {
        switch self {
        case .spotify: "Spotify"
        case .appleMusic: "Apple Music"
        case .gemini: "Gemini"
        case .ticketmaster: "Ticketmaster"
        case .google: "Google"
        }
    }
}
