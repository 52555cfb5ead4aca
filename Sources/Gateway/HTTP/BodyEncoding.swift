import Foundation
import HTTPTypes
import Hummingbird
import Platform

extension Request {
    /// - Throws: ``Problem`` `unsupportedEncoding` for a body that is compressed or encoded in another way.
    package func checkContentEncoding() throws {
        for coding in headers[values: .contentEncoding].flatMap({ $0.split(separator: ",") }) {
            let name = coding.trimmingCharacters(in: .whitespaces)
            guard !name.isEmpty, name.lowercased() != "identity" else { continue }
            throw Problem.contentEncoding(String(name.prefix(40)))
        }
    }

    /// - Throws: ``Problem`` `unsupportedEncoding` if the body is a text in another encoding than UTF-8, of which ASCII
    ///   is a part.
    func checkCharset() throws {
        for parameter in (headers[.contentType] ?? "").split(separator: ";").dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, pair[0].lowercased() == "charset" else { continue }
            let name = pair[1].trimmingCharacters(in: ["\""])
            guard ["", "utf-8", "utf8", "us-ascii", "ascii"].contains(name.lowercased()) else {
                throw Problem.charset(String(name.prefix(40)))
            }
        }
    }
}

extension JSONParser {
    /// The JSON in a request's body: the body without a byte order mark of UTF-8, which RFC 8259 lets parsers ignore
    /// (section 8.1).
    ///
    /// - Throws: for a body in UTF-16 or UTF-32.
    package static func document(of body: [UInt8]) throws(JSONSyntaxError) -> [UInt8] {
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(body.dropFirst(3)) }
        if let encoding = WideEncoding(head: body) {
            throw JSONSyntaxError(offset: 0, reason: "the text is encoded as \(encoding.name); send it as UTF-8")
        }
        return body
    }
}

extension Problem {
    fileprivate static func contentEncoding(_ name: String) -> Problem {
        var problem = unsupportedEncoding(
            "The body is encoded with '\(name)' (Content-Encoding), and bodies are read only as they are. Send it "
                + "without this encoding. A file to import may be a zip archive.")
        problem.acceptedEncoding = "identity"
        return problem
    }

    fileprivate static func charset(_ name: String) -> Problem {
        unsupportedEncoding("The body is encoded as '\(name)' (charset in Content-Type). Send JSON as UTF-8.")
    }

    private static func unsupportedEncoding(_ detail: String) -> Problem {
        Problem(
            .unsupportedMediaType, code: .unsupportedEncoding, title: "The body's encoding is not supported",
            detail: detail)
    }
}
