import Configuration

/// One key of the configuration: its path, its rule, its default and its meaning.
///
/// Every key is declared once, by the section that reads it. Reading, error texts and the comments of
/// `config/backline.yaml`, or of the domain's `settings.yaml`, follow from the declaration.
package struct ConfigurationKey<Value: Sendable>: Sendable {
    /// The dotted path in the file, such as `http.port`.
    package let path: String
    package let rule: ConfigurationRule<Value>
    /// The value when neither the environment nor the file has the key.
    package let defaultValue: Value
    package let summary: ConfigurationKeySummary

    /// - Parameters:
    ///   - example: shown commented out in that file for a key without a default.
    ///   - meaning: complete sentences for the operator. Line breaks are preserved.
    package init(
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
    package init<Wrapped>(
        _ path: String, optional rule: ConfigurationRule<Wrapped>, example: String, isSecret: Bool = false,
        meaning: String
    ) where Value == Wrapped? {
        self.init(path, rule.optional, default: nil, example: example, isSecret: isSecret, meaning: meaning)
    }
}

/// The description of a key, without the type of its value.
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

    /// The outermost section of the file that contains the key, such as `http`.
    package var section: Substring { path.prefix { $0 != "." } }
}

/// The names of configuration variables in the environment.
package enum ConfigurationEnvironment {
    package static let prefix = "BACKLINE_"

    /// Names the file to read. It is not a key of the file itself.
    package static let fileVariable = "BACKLINE_CONFIG"

    /// The prefix of variables for the project's own tests. Release builds ignore them.
    package static let testPrefix = "BACKLINE_TEST_"

    /// `http.port` → `BACKLINE_HTTP_PORT`, by swift-configuration's own rule.
    package static func name(ofPath path: String) -> String {
        let provider = provider(of: [:], secrets: [])
        // A lookup of a string in an empty provider has nothing to convert, so it cannot fail. The test of the
        // names would fail if that changed.
        let lookup = try? provider.value(forKey: AbsoluteConfigKey(ConfigKey(path)), type: .string)
        return lookup?.encodedKey ?? path
    }

    /// - Parameter secrets: the names of variables whose values must not be shown.
    static func provider(of variables: [String: String], secrets: Set<String>) -> some ConfigProvider {
        EnvironmentVariablesProvider(environmentVariables: variables, secretsSpecifier: .specific(secrets))
            .prefixKeys(with: "backline")
    }
}
