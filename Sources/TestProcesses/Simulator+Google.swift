extension Simulator {
    /// Someone with an account at the simulated Google.
    package struct GooglePerson: Decodable, Sendable {
        /// What the consent page's button sends, too.
        package var sub: String
        package var name: String
        /// Empty for somebody without one.
        package var email: String
    }

    package func googlePeople() async throws -> [GooglePerson] {
        try await google.ask("people")
    }

    /// An id token, good unless told otherwise.
    ///
    /// - Parameters:
    ///   - person: the `sub`; the first of ``googlePeople()`` when it is `nil`.
    ///   - claims: replace the usual ones; `.null` takes one out.
    ///   - order: `algorithm` (`RS256`, `none`, `HS256`), `key` (`current`, `unknown`, `forged`), `audience`,
    ///     `issuedSecondsAgo` and `lifeSeconds`.
    package func mintIDToken(
        person: String? = nil, nonce: String? = nil, claims: [String: JSON] = [:], _ order: [String: JSON] = [:]
    ) async throws -> String {
        struct Minted: Decodable {
            var idToken: String
        }
        var order = order
        order["person"] = person.map { .string($0) }
        order["nonce"] = nonce.map { .string($0) }
        order["claims"] = .object(claims)
        return try await google.order("mint", .object(order)).decode(Minted.self).idToken
    }

    /// A new key signs from now on.
    ///
    /// - Parameter isPublished: `false`: the key set does not name it until the simulator is told to publish it.
    package func rotateGoogleKeys(isPublished: Bool = true) async throws {
        try await google.order("keys", .object(["rotate": .bool(true), "publish": .bool(isPublished)]))
    }

    /// The endpoint of the keys, for counting.
    package static let googleKeys = "GET /google/oauth2/v3/certs"
}
