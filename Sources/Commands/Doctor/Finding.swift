/// What a check found out about one thing.
struct Finding: Equatable, Encodable {
    enum Severity: String, Encodable, Comparable, CaseIterable {
        case ok
        /// It works, and may not for long, or not as well as it could.
        case warning
        /// Something does not work, or what should be private is not.
        case problem

        static func < (left: Severity, right: Severity) -> Bool {
            allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
        }
    }

    /// The name of the check, filled in by ``DoctorCheck/findings(in:)``.
    var check = ""
    var severity: Severity
    /// A sentence. Never shows a secret.
    var message: String
    /// What to do; `nil` when all is well.
    var advice: String?

    static func ok(_ message: String) -> Finding { Finding(severity: .ok, message: message) }

    static func warning(_ message: String, _ advice: String) -> Finding {
        Finding(severity: .warning, message: message, advice: advice)
    }

    static func problem(_ message: String, _ advice: String) -> Finding {
        Finding(severity: .problem, message: message, advice: advice)
    }
}
