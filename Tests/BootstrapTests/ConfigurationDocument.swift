import Domains
import Foundation
import Settings
import TestSupport

@testable import Bootstrap

/// A file that lists keys for operators: `config/backline.yaml`, or `settings.yaml` in the home of a domain.
struct ConfigurationDocument {
    /// The path in the repository.
    let name: String
    let keys: [ConfigurationKeySummary]

    /// All of them. A domain's key in a section of `config/backline.yaml`, such as `google.signUp`, is there as well,
    /// since a section is in one file only.
    static func all(of domains: [Domain]) -> [ConfigurationDocument] {
        let sections = Set(ConfigurationKeys.all(with: []).map(\.section))
        let shared = ConfigurationKeys.all(with: domains.settings).filter { sections.contains($0.section) }
        return [ConfigurationDocument(name: "config/backline.yaml", keys: shared)]
            + domains.compactMap { domain -> ConfigurationDocument? in
                let keys = domain.settings.flatMap { $0.keys }.filter { !sections.contains($0.section) }
                let home = "Sources/Domains/\(domain.name.prefix(1).uppercased())\(domain.name.dropFirst())"
                return keys.isEmpty ? nil : ConfigurationDocument(name: "\(home)/settings.yaml", keys: keys)
            }
    }

    /// The file's text; empty if there is no such file.
    var text: String { (try? Repository.text(name)) ?? "" }

    /// What its text has to be, without the comment at its top.
    var expectedBlocks: [String] { Self.blocks(of: keys) }

    /// One block for each key: the headings of new sections, its comment, and its line.
    private static func blocks(of keys: [ConfigurationKeySummary]) -> [String] {
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

    /// The text without the comment at its top.
    var body: String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { $0.isEmpty || $0.hasPrefix("#") }
            .joined(separator: "\n")
    }

    private static func indent(_ depth: Int) -> String {
        String(repeating: "  ", count: depth)
    }
}
