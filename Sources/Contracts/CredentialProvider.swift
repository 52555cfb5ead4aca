/// Whom a person's credentials are for.
package enum CredentialProvider: String, Sendable, Hashable, CaseIterable {
    case spotify
    case appleMusic
    case gemini
    case ticketmaster
    /// Signing in; nothing of it is kept but who the person is.
    case google
}
