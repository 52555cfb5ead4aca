extension Simulator {
    /// A person with an account at the simulated Google.
    package struct GooglePerson: Decodable, Sendable {
        /// The person's `sub`, which the consent page's button sends as its `decision`.
        package var sub: String
        package var name: String
        /// The address; empty for a person without one.
        package var email: String
    }

    package func googlePeople() async throws -> [GooglePerson] {
        try await google.ask("people")
    }

    /// An ID token, valid unless a parameter says otherwise.
    ///
    /// - Parameters:
    ///   - person: the `sub`; `nil` for the first of ``googlePeople()``.
    ///   - claims: values that replace the usual ones; `.null` removes a claim.
    ///   - order: `algorithm` (`RS256`, `none`, `HS256`), `key` (`current`, `unknown`, `forged`), `audience`,
    ///     `issuedSecondsAgo` and `lifeSeconds`.
    package func mintIDToken(
        person: String? = nil, nonce: String? = nil, claims: [String: JSON] = [:], _ order: [String: JSON] = [:]
    ) async throws -> String {
        struct MintedToken: Decodable {
            var idToken: String
        }
        var order = order
        order["person"] = person.map { .string($0) }
        order["nonce"] = nonce.map { .string($0) }
        order["claims"] = .object(claims)
        return try await google.order("mint", .object(order)).decode(MintedToken.self).idToken
    }

    /// Makes a new key sign ID tokens from now on.
    ///
    /// - Parameter isPublished: `false` leaves it out of the key set until it is published explicitly.
    package func rotateGoogleKeys(isPublished: Bool = true) async throws {
        try await google.order("keys", .object(["rotate": .bool(true), "publish": .bool(isPublished)]))
    }

    /// The name of the keys' endpoint in the counters.
    package static let googleKeys = "GET /google/oauth2/v3/certs"
}
