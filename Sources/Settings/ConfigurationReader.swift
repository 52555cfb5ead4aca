import Configuration
import Foundation

/// Looks keys up in the environment, then in the file, and collects all problems.
package struct ConfigurationReader {
    package enum Source: Sendable {
        /// The environment, with the names of its variables.
        case environment(any ConfigProvider, variables: [String])
        case file(ConfigurationFile, any ConfigProvider)

        fileprivate var provider: any ConfigProvider {
            switch self {
            case .environment(let provider, _), .file(_, let provider): provider
            }
        }
    }

    /// The text of a value, and its source.
    private struct RawValue {
        let text: String
        let isSecret: Bool
        /// "environment variable BACKLINE_HTTP_PORT" or "config/backline.yaml, line 12".
        let origin: String
    }

    /// The sources, in order of precedence.
    package let sources: [Source]
    /// The folder of the database, beside which many files are by default. It is set before the sections are read.
    package var databaseFolder = ""
    package private(set) var problems: [ConfigurationProblem] = []
    /// The paths that were read, which a test compares with the list of keys.
    private(set) var readPaths: Set<String> = []

    /// - Parameter sources: empty to read the defaults.
    package init(sources: [Source]) {
        self.sources = sources
    }

    /// - Parameter keys: all keys, of which those of secrets count.
    package init(
        environment: [String: String], file: ConfigurationFile?, keys: [ConfigurationKeySummary]
    ) {
        let secretKeys = keys.filter(\.isSecret)
        let provider = ConfigurationEnvironment.provider(
            of: environment, secrets: Set(secretKeys.map(\.environmentName)))
        var sources: [Source] = [.environment(provider, variables: Array(environment.keys))]
        if let file {
            sources.append(.file(file, file.provider(secrets: Set(secretKeys.map(\.path)))))
        }
        self.init(sources: sources)
    }

    var file: ConfigurationFile? {
        for case .file(let file, _) in sources { return file }
        return nil
    }

    /// The names of the environment's variables.
    var variables: [String] {
        for case .environment(_, let variables) in sources { return variables }
        return []
    }

    /// The value of the key, or its default. A wrong value also gives the default; the process does not start then.
    package mutating func value<Value>(_ key: ConfigurationKey<Value>) -> Value {
        for source in sources {
            if let lookup = value(key, in: source) { return lookup.value ?? key.defaultValue }
        }
        readPaths.insert(key.path)
        return key.defaultValue
    }

    /// The value of a key that has to be set. Reports that it is missing, unless another problem with it was reported.
    package mutating func required<Value>(_ key: ConfigurationKey<Value?>) -> Value? {
        let before = problems.count
        if let value = value(key) { return value }
        if problems.count == before { report(.error("\(key.path) is missing; allowed: \(key.rule.allowed)")) }
        return nil
    }

    /// The key's value in one source: `nil` if the source does not have the key, `value: nil` if its value is not
    /// allowed.
    package mutating func value<Value>(
        _ key: ConfigurationKey<Value>, in source: Source
    ) -> (value: Value?, origin: String)? {
        readPaths.insert(key.path)
        guard let found = found(key.summary, in: source) else { return nil }
        guard let value = key.rule.parse(found.text) else {
            let shown =
                if found.text.isEmpty {
                    "is empty"
                } else if found.isSecret {
                    "is not usable (its value is not shown)"
                } else {
                    "is \(quoted(key.rule.redact(found.text)))"
                }
            report(.error("\(key.path) (\(found.origin)) \(shown); allowed: \(key.rule.allowed)"))
            return (nil, found.origin)
        }
        return (value, found.origin)
    }

    /// The default path of a file or a folder that is beside the database.
    package func path(besideDatabase name: String) -> String {
        (databaseFolder as NSString).appendingPathComponent(name)
    }

    package mutating func report(_ problem: ConfigurationProblem) {
        if !problems.contains(problem) { problems.append(problem) }
    }

    /// Asks the providers directly and not through `ConfigReader`: its optional getters hide a value of the wrong
    /// type, and its required ones do not reveal which source a value came from.
    private mutating func found(_ key: ConfigurationKeySummary, in source: Source) -> RawValue? {
        do {
            let lookup = try source.provider.value(forKey: AbsoluteConfigKey(ConfigKey(key.path)), type: .string)
            guard let value = lookup.value, case .string(let text) = value.content else { return nil }
            return RawValue(text: text, isSecret: value.isSecret || key.isSecret, origin: origin(of: key, in: source))
        } catch {
            let shown =
                if case .file(let file, _) = source, let entry = file.entry(at: key.path) {
                    entry.content.name
                } else {
                    "not a single value"
                }
            report(.error("\(key.path) (\(origin(of: key, in: source))) is \(shown); allowed: \(key.allowed)"))
            return nil
        }
    }

    private func origin(of key: ConfigurationKeySummary, in source: Source) -> String {
        switch source {
        case .environment: "environment variable \(key.environmentName)"
        case .file(let file, _): "\(file.path), line \(file.entry(at: key.path)?.line ?? 0)"
        }
    }
}
