import Bootstrap
import Settings

extension DoctorCheck {
    /// The configuration's warnings, and a proxy that `http.trustedProxies` does not list.
    static let configuration = DoctorCheck("configuration") { context in
        let origin = context.configurationFile.map { "\($0), the environment" } ?? "The environment (there is no file)"
        return [.ok("\(origin) and the defaults can be used.")]
            + context.configurationWarnings.map { .warning($0.text, "Correct the name or the file mode.") }
            + [context.configuration.http.proxyWarning].compactMap(\.self).map {
                .warning($0, BacklineConfiguration.HTTP.proxyAdvice)
            }
    }

    /// The findings for a configuration with which no process starts.
    static func findings(of error: ConfigurationError) -> [Finding] {
        error.problems.map { problem in
            var finding: Finding =
                switch problem.severity {
                case .error: .problem(problem.text, "Correct it: until then, no process starts.")
                case .warning: .warning(problem.text, "Correct the name or the file mode.")
                }
            finding.check = DoctorCheck.configuration.name
            return finding
        }
    }
}
