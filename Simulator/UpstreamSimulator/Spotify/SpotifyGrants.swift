import Foundation
import Model

/// People's consents to apps, with their codes and tokens. It is a value: callers pass the time.
struct SpotifyGrants: Sendable {
    struct Consent: Sendable {
        var client: String
        var person: String
        var scopes: [String]
        /// The time of the consent. A refresh token expires six months later, however often it was used.
        var at: Timestamp
        var isRevoked = false

        func isOver(at now: Timestamp) -> Bool {
            let start = Date(timeIntervalSince1970: Double(at.microseconds) / 1e6)
            let end = SpotifyGrants.calendar.date(byAdding: .month, value: 6, to: start) ?? start
            return Double(now.microseconds) / 1e6 >= end.timeIntervalSince1970
        }
    }

    struct Code: Sendable {
        var consent: Int
        var redirectURI: String
        var challenge: String
        var endsAt: Timestamp
    }

    struct RefreshToken: Sendable {
        var consent: Int
        /// Whether a later token has replaced it.
        var isReplaced = false
    }

    struct AccessToken: Sendable {
        var consent: Int
        var endsAt: Timestamp
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private(set) var consents: [Consent] = []
    private(set) var codes: [String: Code] = [:]
    private(set) var refreshTokens: [String: RefreshToken] = [:]
    private(set) var accessTokens: [String: AccessToken] = [:]

    // MARK: Consent and codes

    /// Whether a person has already allowed an app all of these scopes, so that no consent page is shown.
    func isAllowed(client: String, person: String, scopes: [String], at now: Timestamp) -> Bool {
        consents.contains {
            $0.client == client && $0.person == person && !$0.isRevoked && !$0.isOver(at: now)
                && Set($0.scopes).isSuperset(of: scopes)
        }
    }

    /// Stores a consent and returns its code.
    mutating func allow(
        _ consent: Consent, redirectURI: String, challenge: String, codeEndsAt: Timestamp
    ) -> String {
        consents.append(consent)
        codes = codes.filter { $0.value.endsAt > consent.at }
        let code = OpaqueToken.make("AQ", length: 180)
        codes[code] = Code(
            consent: consents.count - 1, redirectURI: redirectURI, challenge: challenge, endsAt: codeEndsAt)
        return code
    }

    /// Uses up a code, whether or not the exchange succeeds.
    ///
    /// - Returns: the number of its consent.
    mutating func redeem(
        _ code: String, client: String, redirectURI: String, verifier: String, at now: Timestamp
    ) throws(OAuthRefusal) -> Int {
        guard let known = codes.removeValue(forKey: code), known.endsAt > now,
            consents[known.consent].client == client
        else { throw .grant("Invalid authorization code") }
        guard known.redirectURI == redirectURI else { throw .grant("Invalid redirect URI") }
        guard PKCE.challenge(of: verifier) == known.challenge else { throw .grant("code_verifier was incorrect") }
        return known.consent
    }

    // MARK: Tokens

    /// The number of the consent of a usable refresh token.
    func consent(ofRefreshToken token: String, client: String, at now: Timestamp) throws(OAuthRefusal) -> Int {
        guard let known = refreshTokens[token], consents[known.consent].client == client else {
            throw .grant("Invalid refresh token")
        }
        let consent = consents[known.consent]
        guard !known.isReplaced, !consent.isRevoked else { throw .grant("Refresh token revoked") }
        guard !consent.isOver(at: now) else { throw .grant("Refresh token expired") }
        return known.consent
    }

    mutating func makeAccessToken(consent: Int, endsAt: Timestamp) -> String {
        let token = OpaqueToken.make("BQ", length: 180)
        accessTokens[token] = AccessToken(consent: consent, endsAt: endsAt)
        return token
    }

    /// - Parameter replaced: the token that the new one replaces.
    mutating func makeRefreshToken(consent: Int, replacing replaced: String? = nil) -> String {
        if let replaced { refreshTokens[replaced]?.isReplaced = true }
        let token = OpaqueToken.make("AQ", length: 130)
        refreshTokens[token] = RefreshToken(consent: consent)
        return token
    }

    // MARK: On command

    private func belongs(_ consent: Int, to person: String?) -> Bool {
        person == nil || consents[consent].person == person
    }

    /// Expires the access tokens of one person or of all now.
    mutating func expireAccessTokens(of person: String?, at now: Timestamp) {
        for (token, known) in accessTokens where belongs(known.consent, to: person) {
            accessTokens[token]?.endsAt = min(known.endsAt, now)
        }
    }

    /// Makes access tokens unknown.
    mutating func revokeAccessTokens(of person: String?) {
        accessTokens = accessTokens.filter { !belongs($0.value.consent, to: person) }
    }

    /// Moves consents into the past.
    mutating func age(_ person: String?, by duration: Duration) {
        for index in consents.indices where belongs(index, to: person) {
            consents[index].at = consents[index].at.advanced(by: .zero - duration)
        }
    }

    /// Withdraws consents, as a person can on Spotify's own page.
    mutating func revokeConsents(of person: String?) {
        for index in consents.indices where belongs(index, to: person) { consents[index].isRevoked = true }
    }
}
