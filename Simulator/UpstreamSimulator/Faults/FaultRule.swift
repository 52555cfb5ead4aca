/// A rule that damages some of the answers: the body of `POST /_sim/faults`.
///
/// `{"match": {"keyword": "Adele"}, "fault": "status503", "retryAfter": 1, "times": 2}`
package struct FaultRule: Sendable, Codable, Equatable {
    /// The requests to which the rule applies. All members that are present must match; without any, every request
    /// matches.
    package struct Match: Sendable, Codable, Equatable {
        /// A part of the path, such as `events`.
        package var path: String?
        /// The whole `keyword`, ignoring case.
        package var keyword: String?
        /// One of the ids in `attractionId`, or the id at the end of the path.
        package var attractionId: String?
        /// A part of the call's name in the counters, such as `POST` or `refresh_token`. Not supported for
        /// Ticketmaster.
        package var endpoint: String?
        /// A whole parameter of the query, such as `offset=100`. Not supported for Ticketmaster.
        package var query: String?

        package init(
            path: String? = nil, keyword: String? = nil, attractionId: String? = nil, endpoint: String? = nil,
            query: String? = nil
        ) {
            self.path = path
            self.keyword = keyword
            self.attractionId = attractionId
            self.endpoint = endpoint
            self.query = query
        }

        func agrees(with target: RequestTarget, endpoint called: String = "") -> Bool {
            if let path, !target.path.contains(path) { return false }
            if let endpoint, !called.contains(endpoint) { return false }
            if let query, !target.parameters.contains(where: { "\($0.name)=\($0.value)" == query }) { return false }
            if let keyword, target["keyword"]?.lowercased() != keyword.lowercased() { return false }
            if let attractionId {
                let inPath = target.path.contains("/\(attractionId)")
                if !inPath, !target.list("attractionId").contains(attractionId) { return false }
            }
            return true
        }
    }

    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// 200 with a web page.
        case html
        /// The head announces the whole body, but only half of it follows before the connection ends.
        case truncated
        /// A complete answer whose JSON stops in the middle.
        case truncatedJSON
        /// The connection ends without an answer.
        case drop
        /// The request is carried out, then the connection ends without an answer.
        case loseAnswer
        /// The request is carried out, then answered with 500 and a web page.
        case done500
        /// 500 with a web page.
        case status500
        /// 502 with a web page.
        case status502
        /// 503 with a web page, and with `Retry-After` if ``FaultRule/retryAfter`` is given.
        case status503
        /// 504 with a web page.
        case status504
        /// 503 without a body, and with `Retry-After` if ``FaultRule/retryAfter`` is given.
        case empty503
        /// The refusal of a client that is too fast.
        case spike429
        /// The refusal of a client whose quota is used up.
        case quota429
        /// A correct page whose lists contain nulls.
        case nullItems
        /// A correct page one item of which has the wrong types.
        case malformedItem
        /// A correct answer that is delayed by ``FaultRule/ms``.
        case slow
        /// A correct answer, after which the connection ends without `Connection: close`.
        case closeAfterResponse
        /// A correct answer that is held back until `POST faults/release`, or until the rules are removed. The request
        /// takes effect at once. Not supported for Ticketmaster.
        case hold

        // The following refusals have the form of the requested upstream; upstreams without such a form refuse the
        // rule.

        /// The usual 429, with `Retry-After` if ``FaultRule/retryAfter`` is given.
        case limit429
        /// Spotify's 429 of 17 bytes of text.
        case text429
        /// Spotify's 429 with `QUOTA_EXCEEDED`.
        case quotaExceeded
        /// Spotify's 401 for a token that lacks a permission; a new token also lacks it.
        case permissions401
        /// Spotify's 403 for an app whose owner has no Premium.
        case ownerPremium403
        /// Spotify's 403 in plain text.
        case text403
        /// Spotify's 403 for something that belongs to somebody else, Apple Music's for a catalog call, Apple's for the
        /// token of a push, or an ntfy server's for a topic.
        case forbidden403
        /// Spotify's 403 for a player command of an account without Premium, with its reason.
        case premiumRequired
        /// Spotify's 404 for a player command without an active device, with its reason.
        case noActiveDevice
        /// Spotify's 204: nothing is playing.
        case nothing204
        /// Spotify's 200 with a short text that is not JSON, as player commands often return it.
        case text200
        /// Gemini's 429 with `PerMinute` in its details, and with `RetryInfo`.
        case perMinute429
        /// Gemini's 429 with `PerDay` in its details.
        case perDay429
        /// Gemini's 503 of a model that is overloaded.
        case overloaded503
        /// Gemini's 403 of a project in which the API is not enabled.
        case serviceDisabled
        /// Gemini's 400 for a country that it does not serve.
        case locationUnsupported
        /// Gemini's 401 for a kind of key that the API does not accept in this header.
        case tokenTypeUnsupported
        /// Apple Music's 400 for an account without a subscription.
        case noSubscription
        /// Apple Music's 400 for a parameter that it does not accept.
        case invalidParameter
        /// A push service's 404 for a subscription that it does not have.
        case unknown404
        /// A push service's 410 for a subscription that has ended.
        case gone410
        /// Apple's 400 for a subscription that was made for another key.
        case otherKey400
        /// Google's 403 for a subscription that was made for another key.
        case otherKey403
        /// The 401 of a push service or an ntfy server for missing or wrong credentials.
        case unauthorized401
        /// The 413 of a push service or an ntfy server.
        case tooLarge413
        /// Windows' 406 for a sender that is too fast.
        case limit406
    }

    package var match: Match?
    package var fault: Kind
    /// How often the rule applies; `nil` sets no limit. In JSON it is a number, `"unlimited"`, or absent.
    package var times: Int?
    /// The seconds for refusals that may have a `Retry-After`.
    package var retryAfter: Int?
    /// For `quota429`, the `Rate-Limit-Reset` that this refusal carries, in milliseconds since 1970.
    package var resetAt: Int64?
    /// The delay in milliseconds, for `slow`.
    package var ms: Int?

    package init(
        match: Match? = nil, fault: Kind, times: Int? = nil, retryAfter: Int? = nil, resetAt: Int64? = nil,
        ms: Int? = nil
    ) {
        self.match = match
        self.fault = fault
        self.times = times
        self.retryAfter = retryAfter
        self.resetAt = resetAt
        self.ms = ms
    }

    private enum CodingKeys: String, CodingKey {
        case match, fault, times, retryAfter, resetAt, ms
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        match = try values.decodeIfPresent(Match.self, forKey: .match)
        fault = try values.decode(Kind.self, forKey: .fault)
        retryAfter = try values.decodeIfPresent(Int.self, forKey: .retryAfter)
        resetAt = try values.decodeIfPresent(Int64.self, forKey: .resetAt)
        ms = try values.decodeIfPresent(Int.self, forKey: .ms)
        if let word = try? values.decode(String.self, forKey: .times), word == "unlimited" {
            times = nil
        } else {
            times = try values.decodeIfPresent(Int.self, forKey: .times)
        }
    }
}
