import Foundation
import Model
import Upstream

/// The errors of the Web API: `{"error": {"status", "message", "reason"?}}`.
struct APIErrorResponse: Decodable {
    struct Details: Decodable {
        var message: String?
        var reason: String?
    }

    var error: Details
}

/// The errors of the token endpoint, which are flat (RFC 6749, section 5.2).
struct TokenErrorResponse: Decodable {
    var error: String
}

extension UpstreamResponse {
    /// Whether the content type is JSON. Errors of Spotify's proxies are HTML or text.
    var isJSON: Bool {
        let type = headers["content-type"]?.split(separator: ";").first.map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }
        return type == "application/json" || type?.hasSuffix("+json") == true
    }

    func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
        isJSON ? try? JSONDecoder().decode(type, from: Data(body)) : nil
    }

    /// - Throws: ``SpotifyError/invalidResponse(reason:)``.
    func requireJSON<Value: Decodable>(_ type: Value.Type) throws(SpotifyError) -> Value {
        guard isJSON else { throw .invalidResponse(reason: "it is not JSON") }
        guard let value = decoded(type) else { throw .invalidResponse(reason: "it lacks a required member") }
        return value
    }

    private var apiError: APIErrorResponse.Details? { decoded(APIErrorResponse.self)?.error }

    /// Spotify's own code of an error of the Web API, such as `NO_ACTIVE_DEVICE`.
    var reason: String? {
        let word = apiError?.reason.map(String.init(codeOf:))
        return word?.isEmpty == false ? word : nil
    }

    /// Whether a 429 is about the daily quota, and not about the rolling window.
    var isQuotaExceeded: Bool { status == 429 && apiError?.reason == "QUOTA_EXCEEDED" }

    /// The error of an answer of either service, except for 4xx, which differ between the services.
    fileprivate func commonError(now: Timestamp) -> SpotifyError? {
        switch status {
        case 429:
            isQuotaExceeded
                ? .quotaExhausted(after: now.duration(to: SpotifyVerdict.quotaReset(self, now: now)))
                : .rateLimited(after: SpotifyVerdict.pause(self, now: now))
        case 408, 500...599: .serverError(status: status)
        case 400..<500: nil
        default: .invalidResponse(reason: "it has the status \(status)")
        }
    }

    /// The error of an answer of the Web API.
    ///
    /// - Parameter now: the present time, from which waits are measured.
    func webAPIError(now: Timestamp = .now()) -> SpotifyError {
        if let error = commonError(now: now) { return error }
        switch status {
        case 401: return .accessTokenRefused
        case 403:
            let text = (apiError?.message ?? String(decoding: body.prefix(500), as: UTF8.self)).lowercased()
            if text.contains("scope") { return .scopeMissing }
            if text.contains("premium"), text.contains("owner of the app") { return .ownerPremiumMissing }
            return text.contains("developer") && text.contains("registered")
                ? .accountNotAllowed : .forbidden(reason: reason)
        default: return .requestRefused(status: status, reason: reason)
        }
    }

    /// What an unsuccessful answer of the token endpoint means. Only the endpoint's own JSON says that a grant has
    /// ended: a 400 from a proxy on the way does not.
    ///
    /// - Parameter now: the present time, from which waits are measured.
    func tokenError(now: Timestamp = .now()) -> SpotifyError {
        if let error = commonError(now: now) { return error }
        switch decoded(TokenErrorResponse.self)?.error {
        case "invalid_grant": return .grantRefused
        case "invalid_client", "unauthorized_client": return .clientRefused
        case let code?:
            return .tokenRequestRefused(code: String(codeOf: code))
        case nil:
            return .invalidResponse(reason: "it has the status \(status) and is not an error of the token endpoint")
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isWordCharacter: Bool { isASCII && (properties.isAlphabetic || self == "_" || self == "-") }
}

extension String {
    /// The characters of a text that can form one of Spotify's codes, at most 60.
    fileprivate init(codeOf text: String) {
        self.init(String.UnicodeScalarView(text.unicodeScalars.filter(\.isWordCharacter).prefix(60)))
    }
}
