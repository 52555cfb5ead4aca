import Foundation

/// The path and query of a request, as an upstream reads them.
package struct RequestTarget: Sendable, Equatable {
    package struct Parameter: Sendable, Equatable {
        /// The name, percent-decoded.
        package var name: String
        /// The value, percent-decoded, with `+` read as a space.
        package var value: String
        /// The parameter as received, `name=value`, for the links of an answer.
        package var raw: Substring
    }

    package let path: String
    package let parameters: [Parameter]

    /// - Parameter text: the target from the request line, such as `/discovery/v2/events.json?keyword=Low`.
    package init(_ text: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        let query = parts.count > 1 ? parts[1] : ""
        parameters = query.split(separator: "&").map { raw in
            let pair = raw.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Parameter(
                name: Self.decode(pair[0]), value: pair.count > 1 ? Self.decode(pair[1]) : "", raw: raw)
        }
    }

    /// The value of the first parameter with that name; `nil` if it is absent.
    package subscript(_ name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// All values of a parameter that may repeat or contain a comma-separated list; surrounding blanks are dropped.
    package func list(_ name: String) -> [String] {
        parameters.filter { $0.name == name }
            .flatMap { $0.value.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    /// Path and query without the named parameters: the part of a request with a key that may be logged.
    package func text(without names: Set<String>) -> String {
        let kept = parameters.filter { !names.contains($0.name) }.map(\.raw)
        return kept.isEmpty ? path : path + "?" + kept.joined(separator: "&")
    }

    private static func decode(_ text: Substring) -> String {
        let spaced = text.replacing("+", with: " ")
        return spaced.removingPercentEncoding ?? String(spaced)
    }
}
