import Foundation
import Settings
import TestSupport

@testable import Bootstrap

/// The content of `config/backline.yaml` that follows from the list of keys, without the comment at its top.
enum ConfigurationDocument {
    static let path = Repository.path("config/backline.yaml")

    /// One block for each key: the headings of new sections, its comment, and its line.
    static func blocks(of keys: [ConfigurationKeySummary]) -> [String] {
        var previous: [Substring] = []
        return keys.map { key in
            let sections = key.path.split(separator: ".").dropLast()
            let shared = zip(sections, previous).prefix { $0 == $1 }.count
            previous = Array(sections)
            var lines: [String] = []
            for (depth, section) in sections.enumerated().dropFirst(shared) {
                let mark = section == NamedSections.placeholder[...] ? "#" : ""
                lines.append(indent(depth) + mark + section + ":")
            }
            let comment =
                key.meaning.split(separator: "\n").map(String.init) + [
                    "Allowed: \(key.allowed)", "Environment: \(key.environmentName)",
                ]
            lines += comment.map { indent(sections.count) + "# " + $0 }
            let name = key.path.split(separator: ".").last ?? ""
            let mark = sections.contains(NamedSections.placeholder[...]) ? "#" : ""
            let setting = key.defaultText.map { "\(mark)\(name): \($0)" } ?? "#\(name): \(key.example ?? "")"
            lines.append(indent(sections.count) + setting)
            return lines.joined(separator: "\n")
        }
    }

    /// The file without the comment at its top.
    static func body(ofText text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { $0.isEmpty || $0.hasPrefix("#") }
            .joined(separator: "\n")
    }

    private static func indent(_ depth: Int) -> String {
        String(repeating: "  ", count: depth)
    }
}
