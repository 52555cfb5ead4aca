import CommandSupport

/// The findings of all checks.
struct DoctorReport: Encodable {
    var findings: [Finding]

    var worst: Finding.Severity { findings.map(\.severity).max() ?? .ok }

    func count(of severity: Finding.Severity) -> Int { findings.count { $0.severity == severity } }

    private enum CodingKeys: String, CodingKey { case isWell, problems, warnings, findings }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(worst < .problem, forKey: .isWell)
        try values.encode(count(of: .problem), forKey: .problems)
        try values.encode(count(of: .warning), forKey: .warnings)
        try values.encode(findings, forKey: .findings)
    }

    /// A line for each finding with its advice on the next line. A check's name is shown once.
    func lines(isColored: Bool) -> [String] {
        let width = findings.map(\.check.count).max() ?? 0
        var lines: [String] = []
        var lastCheck = ""
        for finding in findings {
            let name = finding.check == lastCheck ? "" : finding.check
            lastCheck = finding.check
            let severity =
                finding.severity.rawValue + String(repeating: " ", count: 7 - finding.severity.rawValue.count)
            let styled = isColored ? Self.style(of: finding.severity).applied(to: severity) : severity
            let start = name + String(repeating: " ", count: width - name.count)
            lines.append("\(start)  \(styled)  \(TextWidth.printable(finding.message))")
            if let advice = finding.advice {
                lines.append(String(repeating: " ", count: width + 11) + "→ " + TextWidth.printable(advice))
            }
        }
        return lines + ["", summary]
    }

    var summary: String {
        let (problems, warnings) = (count(of: .problem), count(of: .warning))
        if problems + warnings == 0 { return "All is well." }
        func number(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }
        return "\(number(problems, "problem")), \(number(warnings, "warning"))."
    }

    private static func style(of severity: Finding.Severity) -> TextStyle {
        switch severity {
        case .ok: .green
        case .warning: .yellow
        case .problem: .red
        }
    }
}
