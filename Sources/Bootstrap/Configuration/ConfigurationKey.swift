import Configuration

/// One key of the configuration: where it is written, what it may be, and what it means.
///
/// Keys are listed once, in `ConfigurationKeys`; reading, error texts and the comments of
/// `config/backline.yaml` all come from that list.
struct ConfigurationKey<Value: Sendable>: Sendable {
    /// Dotted path in the file: `http.port`.
    let path: String
    let rule: ConfigurationRule<Value>
    /// What holds when neither the environment nor the file says anything.
    let defaultValue: Value
    let summary: ConfigurationKeySummary

    /// - Parameters:
    ///   - example: shown, commented out, in `config/backline.yaml` where there is no default to show.
    ///   - meaning: whole sentences for the operator; lines are kept as they are.
    init(
        _ path: String, _ rule: ConfigurationRule<Value>, default defaultValue: Value, example: String? = nil,
        isSecret: Bool = false, meaning: String
    ) {
        self.path = path
        self.rule = rule
        self.defaultValue = defaultValue
        self.summary = ConfigurationKeySummary(
            path: path, environmentName: ConfigurationEnvironment.name(ofPath: path),
            defaultText: rule.text(defaultValue), example: example, allowed: rule.allowed, meaning: meaning,
            isSecret: isSecret)
    }

    /// A key that may be left out.
    init<Wrapped>(
        _ path: String, optional rule: ConfigurationRule<Wrapped>, example: String, isSecret: Bool = false,
        meaning: String
    ) where Value == Wrapped? {
        self.init(path, rule.optional, default: nil, example: example, isSecret: isSecret, meaning: meaning)
    }
}

/// What is said about a key, whatever the type of its value.
package struct ConfigurationKeySummary: Sendable, Equatable {
    package let path: String
    /// The environment variable that overrides the file: `BACKLINE_HTTP_PORT`.
    package let environmentName: String
    /// The built-in default as it would be written in the file; `nil` when the key is unset by default.
    package let defaultText: String?
    package let example: String?
    package let allowed: String
    package let meaning: String
    package let isSecret: Bool
}

/// How the environment names a key.
enum ConfigurationEnvironment {
    static let prefix = "BACKLINE_"

    /// Says which file to read. It is not a key of the file itself.
    static let fileVariable = "BACKLINE_CONFIG"

    /// Variables that steer the project's own tests, never a service.
    static let testPrefix = "BACKLINE_TEST_"

    /// `http.port` → `BACKLINE_HTTP_PORT`, by swift-configuration's own rule.
    static func name(ofPath path: String) -> String {
        let provider = provider(of: [:], secrets: [])
        // A string lookup among no variables has nothing to convert, so it cannot fail; the contract
        // test of the names would show it if that changed.
        let lookup = try? provider.value(forKey: AbsoluteConfigKey(ConfigKey(path)), type: .string)
        return lookup?.encodedKey ?? path
    }

    /// - Parameter secrets: names of the variables whose values must never be shown.
    static func provider(of variables: [String: String], secrets: Set<String>) -> some ConfigProvider {
        EnvironmentVariablesProvider(environmentVariables: variables, secretsSpecifier: .specific(secrets))
            .prefixKeys(with: "backline")
    }
}
