import Foundation

/// A history that a seed determines and that can be played on processes, shrunk, shown and written to a file.
package protocol PlayableHistory: Codable, Sendable, Equatable {
    associatedtype Step: Codable, Sendable, CustomStringConvertible

    /// The option of `scripts/soak` that plays histories of this kind; `nil` for those that it plays without one.
    static var option: String? { get }

    var seed: UInt64 { get }
    var operations: [Step] { get set }
    /// The settings of its processes, for people.
    var settings: String { get }

    init(seed: UInt64)

    /// Plays it until everything in it has ended.
    ///
    /// - Throws: an error of the harness itself, such as a process that does not start.
    func play() async throws -> Verdict
}

/// The outcome of a history.
package struct Verdict: Sendable {
    package var violations: [Violation]
    /// What happened, for people.
    package var summary: String

    package init(violations: [Violation], summary: String) {
        (self.violations, self.summary) = (violations, summary)
    }
}

extension PlayableHistory {
    package init(json: Data) throws {
        self = try JSONDecoder().decode(Self.self, from: json)
    }

    package var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self)
        }
    }

    /// The settings, then the numbered steps, for people.
    package var lines: [String] { [settings] + operations.enumerated().map { "\($0 + 1). \($1)" } }
}
