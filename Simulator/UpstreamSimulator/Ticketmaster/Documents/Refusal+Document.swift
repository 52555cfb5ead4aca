extension Refusal {
    /// The body as it is in recordings.
    var document: String {
        var json = JSONWriter()
        json.object { json in
            json.array("errors") { json in
                json.object { json in
                    json.string("code", code)
                    json.string("detail", detail)
                    json.string("status", statusText)
                    json.object("_links") { json in
                        json.object(link) { json in
                            json.string("href", "/discovery/v2/errors.html#\(code)")
                        }
                    }
                }
            }
        }
        return json.text
    }
}

/// A refusal of the gateway (Apigee) in front of the API.
enum GatewayFault {
    static let unknownKey = document("Invalid ApiKey", code: "oauth.v2.InvalidApiKey")

    static let missingKey = document(
        "Failed to resolve API Key variable request.queryparam.apikey", code: "steps.oauth.v2.FailedToResolveAPIKey")

    /// The real service also repeats the key, and also has two blanks before "exceeded".
    static func quota(key: String) -> String {
        document(
            "Rate limit quota violation. Quota limit  exceeded. Identifier : \(key)",
            code: "policies.ratelimit.QuotaViolation")
    }

    static func spike(perSecond: Int) -> String {
        document(
            "Spike arrest violation. Allowed rate : MessageRate{messagesPerPeriod=\(perSecond), "
                + "periodInMicroseconds=1000000, maxBurstMessageCount=1.0}",
            code: "policies.ratelimit.SpikeArrestViolation")
    }

    private static func document(_ text: String, code: String) -> String {
        var json = JSONWriter()
        json.object { json in
            json.object("fault") { json in
                json.string("faultstring", text)
                json.object("detail") { json in json.string("errorcode", code) }
            }
        }
        return json.text
    }
}
