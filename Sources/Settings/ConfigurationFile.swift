import Configuration
import Foundation
import Yams

/// A parsed configuration file, before its keys and values are checked.
///
/// swift-configuration's YAML provider neither lists its keys nor knows their lines. Without them a misspelt key would
/// be ignored silently, and the error for a wrong value could not name its line.
package struct ConfigurationFile: Sendable {
    package enum Content: Sendable, Equatable {
        case text(String)
        /// `key:` with nothing after it, or `key: ~`.
        case nothing
        case list
        /// A mapping: further keys below it.
        case section

        /// The content as error texts show it.
        package var name: String {
            switch self {
            case .text(let text): quoted(text)
            case .nothing: "empty"
            case .list: "a list"
            case .section: "a section with keys below it"
            }
        }
    }

    package struct Entry: Sendable, Equatable {
        /// The dotted path, such as `http.port`.
        package let path: String
        /// The line number, counted from 1.
        package let line: Int
        package let content: Content
    }

    /// The path as the operator gave it.
    package let path: String
    /// The entries, in the order of the file.
    package let entries: [Entry]
    /// Whether every account of the machine can read it.
    package let isReadableByOthers: Bool

    /// A larger file is refused: it is probably not a configuration file.
    package static let maximumBytes = 1_048_576

    /// Reads the file. It blocks for one small read, before the process serves requests.
    package init(path: String) throws(ConfigurationFileError) {
        let file: SmallFile
        do {
            file = try SmallFile(path: path, maximumBytes: Self.maximumBytes)
        } catch {
            throw ConfigurationFileError(path: path, line: nil, reason: error.reason)
        }
        guard let text = String(validating: file.bytes, as: UTF8.self) else {
            throw ConfigurationFileError(path: path, line: nil, reason: "is not UTF-8 text")
        }
        try self.init(path: path, yaml: text, isReadableByOthers: file.isReadableByOthers)
    }

    package init(path: String, yaml: String, isReadableByOthers: Bool = false) throws(ConfigurationFileError) {
        self.path = path
        self.isReadableByOthers = isReadableByOthers
        do {
            var collector = Collector(file: path)
            let root = try Yams.compose(yaml: yaml)
            switch root {
            case .mapping(let mapping): try collector.collect(mapping, below: "")
            // The file has only comments, so every key has its default.
            case nil: break
            case .some(let node) where node.null != nil: break
            case .some(let node):
                throw ConfigurationFileError(
                    path: path, line: node.mark?.line, reason: "does not contain keys and values")
            }
            entries = collector.entries
        } catch let error as ConfigurationFileError {
            throw error
        } catch {
            throw ConfigurationFileError(path: path, cause: error)
        }
    }

    /// Collects the entries of the tree in the file's order.
    private struct Collector {
        let file: String
        var entries: [Entry] = []
        private var positions: [String: Int] = [:]

        init(file: String) {
            self.file = file
        }

        mutating func collect(_ mapping: Node.Mapping, below prefix: String) throws(ConfigurationFileError) {
            for (key, value) in mapping {
                let line = key.mark?.line ?? 0
                guard let name = key.string, !name.isEmpty else {
                    throw ConfigurationFileError(path: file, line: line, reason: "has a key that is not text")
                }
                let path = prefix.isEmpty ? name : prefix + "." + name
                try append(Entry(path: path, line: line, content: content(of: value)))
                if case .mapping(let inner) = value {
                    try collect(inner, below: path)
                }
            }
        }

        /// Refuses `http.port: 1` beside `http: {port: 2}`. The parser itself refuses a repeated key.
        private mutating func append(_ entry: Entry) throws(ConfigurationFileError) {
            if let position = positions[entry.path] {
                let earlier = entries[position]
                guard earlier.content == .section, entry.content == .section else {
                    throw ConfigurationFileError(
                        path: file, line: entry.line,
                        reason: "gives \(quoted(entry.path)) again (first on line \(earlier.line))")
                }
            }
            positions[entry.path] = entries.count
            entries.append(entry)
        }

        private func content(of node: Node) -> Content {
            switch node {
            case .scalar(let scalar): node.null != nil ? .nothing : .text(scalar.string)
            case .sequence: .list
            case .mapping, .alias: .section
            }
        }
    }

    package func entry(at path: String) -> Entry? {
        entries.first { $0.path == path }
    }

    /// The values for swift-configuration's lookup. Lists and sections get a type that no key has.
    func provider(secrets: Set<String>) -> InMemoryProvider {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for entry in entries {
            let content: ConfigContent =
                switch entry.content {
                case .text(let text): .string(text)
                case .nothing: .string("")
                case .list, .section: .stringArray([])
                }
            let key = AbsoluteConfigKey(ConfigKey(entry.path))
            values[key] = ConfigValue(content, isSecret: secrets.contains(entry.path))
        }
        return InMemoryProvider(name: path, values: values)
    }
}

/// The reason why a configuration file cannot be used.
package struct ConfigurationFileError: Error, Equatable {
    package let path: String
    /// The line number, counted from 1; `nil` if the parser does not know it.
    package let line: Int?
    /// Completes a sentence that begins with the path.
    package let reason: String

    package var text: String {
        let place = line.map { ", line \($0)," } ?? ""
        return "the configuration file \(quoted(path))\(place) \(reason)"
    }
}

extension ConfigurationFileError {
    /// Keeps the parser's message and line number, but not the snippet that it quotes, which may contain a secret.
    fileprivate init(path: String, cause: any Error) {
        switch cause as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init(path: path, line: mark.line, reason: "is not valid YAML: \(problem)")
        case .reader(let problem, let offset, _, let yaml):
            let line = offset.map { yaml.prefix($0).count { $0.isNewline } + 1 }
            self.init(path: path, line: line, reason: "is not valid YAML: \(problem)")
        case .duplicatedKeysInMapping(let keys, let context):
            let names = keys.map { quoted($0) }.joined(separator: ", ")
            self.init(
                path: path, line: context.mark.line,
                reason: "gives the same key more than once in the section that begins here: \(names)")
        default:
            self.init(path: path, line: nil, reason: "is not valid YAML")
        }
    }
}
