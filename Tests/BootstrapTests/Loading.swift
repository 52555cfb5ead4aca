import Composition
import Settings
import Testing

@testable import Bootstrap

/// Loads a file's text and an environment, without a file system.
func load(yaml: String = "", environment: [String: String] = [:]) throws -> LoadedConfiguration {
    let file = try ConfigurationFile(path: "backline.yaml", yaml: yaml)
    return try BacklineConfiguration.check(sections: .all, environment: environment, file: file)
}

/// The lines that a refused configuration prints; none when it is accepted.
func complaints(yaml: String = "", environment: [String: String] = [:]) throws -> [String] {
    do {
        _ = try load(yaml: yaml, environment: environment)
        return []
    } catch let error as ConfigurationError {
        return error.problems.map(\.description)
    }
}
