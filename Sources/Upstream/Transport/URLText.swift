import Model
import Platform

/// Composes the URL of a request (RFC 3986).
enum URLText {
    /// The whole URL of `request` under `base`. Contains secrets.
    static func compose(_ request: UpstreamRequest, under base: BaseURL) throws(UpstreamError) -> String {
        if let target = request.secretTarget?.reveal() {
            guard target.hasPrefix("/"), target.utf8.allSatisfy(isAllowedInTarget) else {
                throw .invalidRequest("its address has characters that must be percent-encoded")
            }
            return base.text + target
        }
        guard request.path.hasPrefix("/") else { throw .invalidRequest("its path does not start with /") }
        guard request.path.utf8.allSatisfy(\.isAllowedInURLPaths) else {
            throw .invalidRequest("its path contains characters that must be percent-encoded")
        }
        let parameters =
            request.query.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }
            + request.secretQuery.map { "\($0.name.percentEncoded)=\($0.value.reveal().percentEncoded)" }
        guard let encoded = request.encodedQuery else {
            return base.text + request.path + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
        }
        guard encoded.utf8.allSatisfy(isAllowedInTarget) else {
            throw .invalidRequest("its query contains characters that must be percent-encoded")
        }
        return base.text + request.path + "?" + encoded
    }

    /// What may be in a path or a query.
    private static func isAllowedInTarget(_ byte: UInt8) -> Bool {
        byte.isAllowedInURLPaths || byte == UInt8(ascii: "?")
    }
}
