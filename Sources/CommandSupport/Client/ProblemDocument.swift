import Foundation

/// The parts of a problem+json answer (RFC 9457) that a person reads.
struct ProblemDocument: Decodable {
    var title: String?
    var detail: String?
    /// The place in the request's body, such as `$.prompt`, with which the detail begins.
    var field: String?

    /// - Returns: the detail, without a place in a body that the person has not written, otherwise the title; `nil` when
    ///   the body is not a problem document.
    static func text(of body: Data) -> String? {
        let problem = try? JSONDecoder().decode(ProblemDocument.self, from: body)
        return (problem?.sentence ?? problem?.title).map(TextWidth.printable)
    }

    private var sentence: String? {
        guard let detail, let field, field.hasPrefix("$"), detail.hasPrefix("\(field): ") else {
            return self.detail
        }
        let reason = detail.dropFirst(field.count + 2)
        return reason.prefix(1).uppercased() + reason.dropFirst()
    }
}
