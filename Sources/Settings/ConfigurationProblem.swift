import Platform

/// A problem with the configuration, as one line for the operator.
package struct ConfigurationProblem: Sendable, Equatable, CustomStringConvertible {
    package enum Severity: String, Sendable {
        /// The process does not start.
        case error
        /// The process starts and logs it.
        case warning
    }

    package let severity: Severity
    /// One line; never shows a secret.
    package let text: String

    package var description: String { "\(severity.rawValue): \(text)" }

    package static func error(_ text: String) -> ConfigurationProblem {
        ConfigurationProblem(severity: .error, text: text)
    }

    package static func warning(_ text: String) -> ConfigurationProblem {
        ConfigurationProblem(severity: .warning, text: text)
    }
}

/// The configuration cannot be used. The error contains all problems, warnings included.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    package let problems: [ConfigurationProblem]

    package init(problems: [ConfigurationProblem]) {
        self.problems = problems
    }

    /// One line for each problem.
    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}

/// A text as problems show it: quoted, on one line, and cut after 120 characters.
package func quoted(_ text: String) -> String {
    let limit = 120
    let shown = text.count > limit ? text.prefix(limit) + "…" : text[...]
    return LogText.quoted(String(shown))
}
