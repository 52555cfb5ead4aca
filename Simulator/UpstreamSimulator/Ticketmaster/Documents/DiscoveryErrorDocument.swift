/// The body of a refusal of the Discovery API.
struct DiscoveryErrorDocument: Encodable {
    struct Failure: Encodable {
        var code: String
        var detail: String
        var status: String
        /// One link, whose name depends on the code.
        var links: NamedMembers<LinkDocument>

        enum CodingKeys: String, CodingKey {
            case code, detail, status
            case links = "_links"
        }
    }

    let errors: [Failure]

    init(_ refusal: Refusal) {
        let link = LinkDocument(href: "/discovery/v2/errors.html#\(refusal.code)")
        errors = [
            Failure(
                code: refusal.code, detail: refusal.detail, status: refusal.statusText,
                links: NamedMembers(members: [(name: refusal.link, value: link)]))
        ]
    }
}

/// A refusal of the gateway (Apigee) in front of the API.
struct GatewayFault: Encodable {
    struct Fault: Encodable {
        struct Detail: Encodable {
            var errorcode: String
        }

        var faultstring: String
        var detail: Detail
    }

    let fault: Fault

    private init(_ text: String, code: String) {
        fault = Fault(faultstring: text, detail: Fault.Detail(errorcode: code))
    }

    static let unknownKey = GatewayFault("Invalid ApiKey", code: "oauth.v2.InvalidApiKey")

    static let missingKey = GatewayFault(
        "Failed to resolve API Key variable request.queryparam.apikey", code: "steps.oauth.v2.FailedToResolveAPIKey")

    /// The real service also repeats the key, and also has two blanks before "exceeded".
    static func quota(key: String) -> GatewayFault {
        GatewayFault(
            "Rate limit quota violation. Quota limit  exceeded. Identifier : \(key)",
            code: "policies.ratelimit.QuotaViolation")
    }

    static func spike(perSecond: Int) -> GatewayFault {
        GatewayFault(
            "Spike arrest violation. Allowed rate : MessageRate{messagesPerPeriod=\(perSecond), "
                + "periodInMicroseconds=1000000, maxBurstMessageCount=1.0}",
            code: "policies.ratelimit.SpikeArrestViolation")
    }
}
