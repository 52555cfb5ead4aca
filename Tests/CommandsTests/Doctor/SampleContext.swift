import Composition
import Bootstrap
import Model
import TestSupport

@testable import Commands

extension DoctorContext {
    /// The context of `doctor` with a database in this folder, without a configuration file and without a gateway.
    static func sample(
        _ folder: TemporaryFolder, database: String = "test.sqlite", environment: [String: String] = [:]
    ) throws -> DoctorContext {
        let variables = ["BACKLINE_DATABASE_PATH": folder.file(database)].merging(environment) { _, given in given }
        let loaded = try BacklineConfiguration.load(
            sections: .all, environment: variables, defaultFile: folder.file("no-such-file"))
        return DoctorContext(
            domains: .all, configuration: loaded.configuration, configurationWarnings: loaded.warnings,
            environment: variables,
            lockTimeout: .milliseconds(200))
    }
}

extension [Finding] {
    var worst: Finding.Severity { map(\.severity).max() ?? .ok }

    var text: String { map { "\($0.severity): \($0.message) \($0.advice ?? "")" }.joined(separator: "\n") }
}
