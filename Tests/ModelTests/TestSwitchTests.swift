import Foundation
import Testing

@testable import Model

@Suite("Switches that tests alone set")
struct TestSwitchTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test("What is shipped reads them in one place, which a release build leaves out")
    func onePlace() throws {
        // The rest is tests' own: what they read themselves, and what they hand on to the processes they start.
        let others = ["Model/TestSwitch.swift", "Bootstrap/Configuration/ConfigurationKey.swift"]
        var naming: Set<String> = []
        for folder in ["Sources", "Services"] {
            let base = Self.root.appending(path: folder).path
            for case let name as String in try #require(FileManager.default.enumerator(atPath: base))
            where name.hasSuffix(".swift") && !name.hasPrefix("TestSupport/") && !name.hasPrefix("TestProcesses/") {
                let text = try String(contentsOfFile: base + "/" + name, encoding: .utf8)
                if text.contains("BACKLINE_TEST_") { naming.insert(name) }
            }
        }
        // The second only knows the prefix, to pass over such variables.
        #expect(naming == Set(others))
        let path = Self.root.appending(path: "Sources/Model/TestSwitch.swift").path
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

    @Test("Each has a variable of its own")
    func names() {
        #expect(Set(TestSwitch.allCases.map(\.name)).count == TestSwitch.allCases.count)
        #expect(TestSwitch.allCases.allSatisfy { $0.name.hasPrefix("BACKLINE_TEST_") })
    }
}
