import Foundation
import TestSupport
import Testing

@testable import Platform

@Suite("Environment variables for tests")
struct TestSwitchTests {
    @Test("Shipped code reads these variables in one place, which release builds omit")
    func onePlace() throws {
        let others = ["Platform/TestSwitch.swift", "Settings/ConfigurationKey.swift"]
        var naming: Set<String> = []
        for folder in ["Sources", "Services"] {
            let base = Repository.path(folder)
            for case let name as String in try #require(FileManager.default.enumerator(atPath: base))
            where name.hasSuffix(".swift") {
                let text = try String(contentsOfFile: base + "/" + name, encoding: .utf8)
                if text.contains("BACKLINE_TEST_") { naming.insert(name) }
            }
        }
        // The second file only has the prefix, so that unknown test variables do not cause a warning.
        #expect(naming == Set(others))
        let path = Repository.path("Sources/Platform/TestSwitch.swift")
        var isInDebug = false
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            switch line.trimmingCharacters(in: .whitespaces) {
            case "#if DEBUG": isInDebug = true
            case "#else", "#endif": isInDebug = false
            case let text where text.contains("BACKLINE_TEST_") || text.contains("environment["):
                #expect(isInDebug, "\(text)")
            default: break
            }
        }
    }

    @Test("Each switch has its own variable")
    func namesAreUnique() {
        #expect(Set(TestSwitch.allCases.map(\.name)).count == TestSwitch.allCases.count)
        #expect(TestSwitch.allCases.allSatisfy { $0.name.hasPrefix("BACKLINE_TEST_") })
    }
}
