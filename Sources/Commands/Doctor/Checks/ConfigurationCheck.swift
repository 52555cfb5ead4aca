import Bootstrap

extension DoctorCheck {
    /// Whether the configuration says what somebody meant to say.
    static let configuration = DoctorCheck("configuration") { context in
        let origin = context.configurationFile.map { "\($0), the environment" } ?? "The environment (there is no file)"
        return [.ok("\(origin) and the defaults make sense.")]
            + context.configurationWarnings.map { .warning($0.text, "Mend the name or the mode that it speaks of.") }
            + [context.configuration.http.proxyWarning].compactMap(\.self).map {
                .warning($0, BacklineConfiguration.HTTP.proxyAdvice)
            }
    }

    /// A configuration that stops every process.
    static func findings(of error: ConfigurationError) -> [Finding] {
        error.problems.map { problem in
            var finding: Finding =
                switch problem.severity {
                case .error: .problem(problem.text, "Nothing starts before this is mended.")
                case .warning: .warning(problem.text, "Mend the name or the mode that it speaks of.")
                }
            finding.check = DoctorCheck.configuration.name
            return finding
        }
    }
}
