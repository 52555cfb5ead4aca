/// An external service that Backline calls.
///
/// The set is open: a provider is declared here with its names, and whoever knows more about it keeps that in a table or
/// in a `switch` with a default.
package struct Provider: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name in the API and the database.
    package let rawValue: String
    /// The name of the service, for people.
    package let displayName: String

    private init(_ rawValue: String, displayName: String) {
        self.rawValue = rawValue
        self.displayName = displayName
    }

    /// A provider that this version knows; `nil` for other texts, such as those of rows that another version wrote.
    package init?(rawValue: String) {
        guard let provider = Self.byName[rawValue] else { return nil }
        self = provider
    }

    package var description: String { rawValue }

    package static func == (left: Provider, right: Provider) -> Bool { left.rawValue == right.rawValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension Provider {
    package static let spotify = Provider("spotify", displayName: "Spotify")
    package static let appleMusic = Provider("appleMusic", displayName: "Apple Music")
    package static let gemini = Provider("gemini", displayName: "Gemini")
    package static let ticketmaster = Provider("ticketmaster", displayName: "Ticketmaster")
    /// Used for signing in. Only the person's identity is stored.
    package static let google = Provider("google", displayName: "Google")
    /// Asked for previews. It needs no account.
    package static let itunes = Provider("itunes", displayName: "iTunes")
    /// The administrator's server with a language model. People do not need an account there.
    package static let aiEndpoint = Provider("aiEndpoint", displayName: "The AI endpoint")
    /// The push services of browsers and people's ntfy servers. Only the names of secrets are of this provider: each
    /// server has limits of its own.
    package static let push = Provider("push", displayName: "Push services")

    /// Every provider above.
    package static let known: [Provider] = [
        spotify, appleMusic, gemini, ticketmaster, google, itunes, aiEndpoint, push,
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: known.map { ($0.rawValue, $0) })
}
