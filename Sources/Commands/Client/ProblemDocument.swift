import Foundation

/// The parts of a problem+json answer (RFC 9457) that a person reads.
struct ProblemDocument: Decodable {
    var title: String?
    var detail: String?

    /// - Returns: the detail, otherwise the title; `nil` when the body is not a problem document.
    static func text(of body: Data) -> String? {
        let problem = try? JSONDecoder().decode(ProblemDocument.self, from: body)
        return (problem?.detail ?? problem?.title).map(TextWidth.printable)
    }
}
