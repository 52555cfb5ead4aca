import Foundation

/// A problem+json answer (RFC 9457), as far as a person needs it.
struct ProblemDocument: Decodable {
    var title: String?
    var detail: String?

    /// - Returns: `nil` when the body is none.
    static func text(of body: Data) -> String? {
        let problem = try? JSONDecoder().decode(ProblemDocument.self, from: body)
        return (problem?.detail ?? problem?.title).map(TextWidth.printable)
    }
}
