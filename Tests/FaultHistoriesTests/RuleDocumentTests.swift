import Foundation
import TestSupport
import Testing

@testable import FaultHistories

@Suite("The rules of histories in docs/testing.md")
struct RuleDocumentTests {
    @Test("The document describes every rule by the name that a failure prints, and no other")
    func documentDescribesEveryRule() throws {
        let document = try Repository.text("docs/testing.md")
        var names: Set<String> = []
        for table in document.components(separatedBy: "| rule | what is checked |\n").dropFirst() {
            let rows = table.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }
            names.formUnion(
                rows.dropFirst().compactMap { row in
                    row.split(separator: "|").first?.trimmingCharacters(in: .whitespaces)
                })
        }
        #expect(names == Set(Violation.Rule.allCases.map(\.rawValue)))
    }
}
