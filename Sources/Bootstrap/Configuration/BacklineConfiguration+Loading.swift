import Foundation
import Settings

/// A valid configuration, with its warnings.
package struct LoadedConfiguration: Sendable {
    package let configuration: BacklineConfiguration
    package let warnings: [ConfigurationProblem]
    /// The file that was read; `nil` when there was none.
    package let file: String?
}

extension BacklineConfiguration {
    /// The file that is read when no other is named and it exists.
    package static let defaultFile = "config/backline.yaml"

    /// Reads the environment and the file, and checks all of it.
    ///
    /// It reads small files with blocking calls, since it runs once, before the process does anything else.
    /// - Parameters:
    ///   - sections: the sections of the domains.
    ///   - file: the file of `--config`. Without it, `BACKLINE_CONFIG` names the file; without that, `defaultFile` is
    ///     read if it exists.
    ///   - environment: its `BACKLINE_*` variables override the file.
    /// - Throws: ``ConfigurationError`` with all problems.
    package static func load(
        sections: [any SettingsSection.Type], file: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        defaultFile: String = BacklineConfiguration.defaultFile
    ) throws(ConfigurationError) -> LoadedConfiguration {
        let named = file ?? environment[ConfigurationEnvironment.fileVariable]
        if named?.isEmpty == true {
            let origin = file == nil ? "environment variable \(ConfigurationEnvironment.fileVariable)" : "--config"
            throw ConfigurationError(
                problems: [
                    .error("the path of the configuration file (\(origin)) is empty; allowed: the path of a file")
                ])
        }
        var configurationFile: ConfigurationFile?
        var fileProblems: [ConfigurationProblem] = []
        if named != nil || FileManager.default.fileExists(atPath: defaultFile) {
            do {
                configurationFile = try ConfigurationFile(path: named ?? defaultFile)
            } catch {
                // The environment is checked as well, so that all problems are reported at once.
                fileProblems = [.error(error.text)]
            }
        }
        return try check(
            sections: sections, environment: environment, file: configurationFile, fileProblems: fileProblems)
    }

    /// Checks the variables and the file, and uses the defaults for keys that neither sets.
    static func check(
        sections: [any SettingsSection.Type], environment: [String: String], file: ConfigurationFile?,
        fileProblems: [ConfigurationProblem] = []
    ) throws(ConfigurationError) -> LoadedConfiguration {
        let keys = ConfigurationKeys.all(with: sections)
        var reader = ConfigurationReader(environment: environment, file: file, keys: keys)
        let configuration = BacklineConfiguration(sections: sections, reading: &reader)
        let unknownKeys = UnknownKeys(
            keys: keys, namedSections: sections.flatMap { $0.namedSections } + [ConfigurationKeys.schedules],
            otherVariables: CommandLineVariable.allCases.map(\.rawValue), in: file, variables: environment.keys)
        let problems =
            fileProblems + reader.problems + unknownKeys.problems(in: file) + unknownKeys.warnings(of: environment)
        guard problems.allSatisfy({ $0.severity == .warning }) else {
            throw ConfigurationError(problems: problems)
        }
        return LoadedConfiguration(configuration: configuration, warnings: problems, file: file?.path)
    }
}
