/// One result of a check.
struct Finding: Equatable, Encodable {
    enum Severity: String, Encodable, Comparable, CaseIterable {
        case ok
        /// It works, but perhaps not for long, or not as well as it could.
        case warning
        /// Something does not work, or something private can be read by others.
        case problem

        static func < (left: Severity, right: Severity) -> Bool {
            allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
        }
    }

    /// The name of the check, filled in by ``DoctorCheck/findings(in:)``.
    var check = ""
    var severity: Severity
    /// A sentence, without secrets.
    var message: String
    /// What the operator should do; `nil` when nothing has to be done.
    var advice: String?

    static func ok(_ message: String) -> Finding { Finding(severity: .ok, message: message) }

    static func warning(_ message: String, _ advice: String) -> Finding {
        Finding(severity: .warning, message: message, advice: advice)
    }

    static func problem(_ message: String, _ advice: String) -> Finding {
        Finding(severity: .problem, message: message, advice: advice)
    }
}
