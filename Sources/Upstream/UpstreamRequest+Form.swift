extension UpstreamRequest {
    /// A form (`application/x-www-form-urlencoded`) whose answer is JSON, as token endpoints expect it (RFC 6749,
    /// section 4.1.3). It is not idempotent.
    package static func form(path: String, _ fields: [(name: String, value: String)]) -> UpstreamRequest {
        let body = fields.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return UpstreamRequest(
            method: .post, path: path,
            headers: [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json")],
            body: Array(body.utf8), isIdempotent: false)
    }
}
