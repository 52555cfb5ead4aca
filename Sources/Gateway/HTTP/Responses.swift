import Crypto
import Foundation
import HTTPTypes
import Hummingbird

extension Response {
    package static func json(_ status: HTTPResponse.Status, _ bytes: [UInt8], headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The response to a read that pages poll, with an `ETag`: `304` when the client has this content already.
    package static func cacheable(_ bytes: [UInt8], for request: Request) -> Response {
        cacheable(bytes, of: "application/json", for: request)
    }

    /// Like ``cacheable(_:for:)``, for content of any type.
    package static func cacheable(
        _ bytes: [UInt8], of contentType: String, headers: HTTPFields = [:], for request: Request
    ) -> Response {
        let digest = SHA256.hash(data: bytes).prefix(12)
        let tag = "\"" + Data(digest).base64EncodedString() + "\""
        var headers = headers
        headers[.eTag] = tag
        headers[.cacheControl] = "private, no-cache"
        if request.knows(entityTag: tag) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = contentType
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Like ``cacheable(_:for:)``, for a list of items that event streams report.
    ///
    /// - Parameters:
    ///   - list: an object without the member `seq`. The tag is that of the list alone, since every change of anything
    ///     moves the number.
    ///   - seq: the number of the last change when the list was read (``SQLReader/lastChange()``). A client applies the
    ///     changes with higher numbers to the list, also those that arrived before the answer.
    package static func cacheable(_ list: [UInt8], seq: Int64, for request: Request) -> Response {
        let answer = cacheable(list, for: request)
        guard answer.status == .ok else { return answer }
        var headers = answer.headers
        // The one of the list alone would cut the answer off.
        headers[.contentLength] = nil
        return .json(.ok, list.dropLast() + Array(#","seq":\#(seq)}"#.utf8), headers: headers)
    }

    /// Redirects a browser from an address that contains an OAuth code or state. The headers keep that address out of
    /// caches and `Referer` headers.
    package static func redirect(to address: String) -> Response {
        Response(
            status: .seeOther,
            headers: [.location: address, .cacheControl: "no-store", .referrerPolicy: "no-referrer"])
    }
}

extension Request {
    /// Whether `If-None-Match` names the tag, by weak comparison (RFC 9110, section 13.1.2).
    package func knows(entityTag tag: String) -> Bool {
        let known = headers[.ifNoneMatch]?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let known else { return false }
        return known.contains(tag) || known.contains("W/" + tag) || known == ["*"]
    }
}
