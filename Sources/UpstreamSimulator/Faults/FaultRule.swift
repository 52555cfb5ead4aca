/// An order to damage some of the answers: the body of `POST /_sim/faults`.
///
/// `{"match": {"keyword": "Adele"}, "fault": "status503", "retryAfter": 1, "times": 2}`
package struct FaultRule: Sendable, Codable, Equatable {
    /// The requests that it applies to. All members that are present must match; without any, every request matches.
    package struct Match: Sendable, Codable, Equatable {
        /// A part of the path, such as `events`.
        package var path: String?
        /// The whole `keyword`, whatever its case.
        package var keyword: String?
        /// One of the ids in `attractionId`, or the id that the path ends with.
        package var attractionId: String?
        /// A part of the call's name in the counters, such as `POST` or `refresh_token`. Not for Ticketmaster.
        package var endpoint: String?
        /// A parameter of the query, such as `offset=100`, whole. Not for Ticketmaster.
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
        /// The head announces the whole body, half of it follows, and the connection ends.
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
        /// 503 with a web page, and `Retry-After` when ``FaultRule/retryAfter`` is given.
        case status503
        /// 504 with a web page.
        case status504
        /// 503 without a body, and `Retry-After` when ``FaultRule/retryAfter`` is given.
        case empty503
        /// The refusal of a client that is too fast.
        case spike429
        /// The refusal of a client whose quota is used up.
        case quota429
        /// A correct page whose lists hold nulls.
        case nullItems
        /// A correct page one item of which has the wrong types.
        case malformedItem
        /// A correct answer, ``FaultRule/ms`` late.
        case slow
        /// A correct answer, after which the connection ends without `Connection: close`.
        case closeAfterResponse
        /// A correct answer that is kept back until `POST faults/release`, or until the rules are removed. The request
        /// takes effect at once. Not for Ticketmaster.
        case hold

        // Refusals in the form of the upstream that they are ordered from; those that have no such form
        // refuse the rule.

        /// The usual 429, and `Retry-After` when ``FaultRule/retryAfter`` is given.
        case limit429
        /// Spotify's 429 of 17 bytes of text.
        case text429
        /// Spotify's 429 with `QUOTA_EXCEEDED`.
        case quotaExceeded
        /// Spotify's 401 for a token that lacks a permission; a new token lacks it, too.
        case permissions401
        /// Spotify's 403 for an app whose owner has no Premium.
        case ownerPremium403
        /// Spotify's 403 in plain text.
        case text403
        /// Spotify's 403 for what is somebody else's, or Apple Music's for a call of its catalogue.
        case forbidden403
        /// Spotify's 403 for a player command of an account without Premium, with its reason.
        case premiumRequired
        /// Spotify's 404 for a player command without an active device, with its reason.
        case noActiveDevice
        /// Spotify's 204: nothing is playing.
        case nothing204
        /// Spotify's 200 with a short text that is no JSON, as player commands often have it.
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
        /// Apple Music's 400 for a parameter that it does not take.
        case invalidParameter
    }

    package var match: Match?
    package var fault: Kind
    /// How often it applies; `nil` sets no limit. In JSON a number, or `"unlimited"`, or left out.
    package var times: Int?
    /// Seconds, with refusals that may have a `Retry-After`.
    package var retryAfter: Int?
    /// Milliseconds since 1970, with `quota429`: the `Rate-Limit-Reset` that this refusal carries.
    package var resetAt: Int64?
    /// Milliseconds, with `slow`.
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
