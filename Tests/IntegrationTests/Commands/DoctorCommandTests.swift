import Foundation
import TestProcesses
import Testing

@Suite("backline doctor", .timeLimit(.minutes(20)))
struct DoctorCommandTests {
    /// What `--json` prints.
    private struct Report: Decodable {
        struct Finding: Decodable {
            var check: String
            var severity: String
            var message: String
            var advice: String?
        }

        var isWell: Bool
        var problems: Int
        var warnings: Int
        var findings: [Finding]

        func problems(of check: String) -> [Finding] {
            findings.filter { $0.check == check && $0.severity == "problem" }
        }
    }

    private static let key = ["BACKLINE_TICKETMASTER_API_KEY": "VERYSECRET"]

    private func examine(
        _ installation: Installation, status: Int32, as client: APIClient? = nil, environment: [String: String] = key
    ) async throws -> Report {
        let result = try await installation.backline("doctor", "--json", as: client, environment: environment)
        #expect(result.status == status, "\(result.text)")
        #expect(!result.text.contains("VERYSECRET"))
        let report: Report = try result.decode()
        #expect(report.isWell == (status == 0))
        #expect(report.problems == report.findings.count { $0.severity == "problem" })
        #expect(report.findings.allSatisfy { ($0.severity == "ok") == ($0.advice == nil) })
        return report
    }

    @Test("A running installation has no problems, and every check ran")
    func healthyInstallation() async throws {
        try await Installation.run { installation in
            let (gateway, workers) = try await installation.startAll()
            let ada = try await installation.addUser()
            _ = try await ada.submit(Echo.job(1), wait: 30)
            let report = try await examine(installation, status: 0, as: ada)
            #expect(report.warnings == 0, "\(report.findings.filter { $0.severity != "ok" })")
            #expect(
                Set(report.findings.map(\.check)) == [
                    "configuration", "libraries", "files", "disk", "database", "write lock", "cleaning", "clock",
                    "gateway", "workers", "messaging", "keys", "permits", "pushes", "queue", "texts", "vault",
                ])
            #expect(
                report.findings.contains { $0.message.contains("concert-worker-1 (process \(workers[0].processID))") })
            let text = try await installation.backline("doctor", environment: Self.key)
            #expect(text.status == 0 && text.output.last == "All is well.")
            #expect(gateway.isRunning)
        }
    }

    @Test("A missing gateway, missing workers and a missing database are problems")
    func missingProcesses() async throws {
        try await Installation.run { installation in
            var report = try await examine(
                installation, status: 1, environment: Self.key.merging(["BACKLINE_SERVER": "http://127.0.0.1:1"]) { $1 }
            )
            #expect(report.problems(of: "database").first?.advice?.contains("backline migrate") == true)
            #expect(report.problems(of: "gateway").count == 1 && report.problems(of: "workers").count == 1)

            let (gateway, workers) = try await installation.startAll()
            gateway.kill()
            try await gateway.waitForEnd()
            report = try await examine(installation, status: 1)
            #expect(report.problems(of: "gateway").first?.advice == "Start it: api-gateway")
            #expect(report.problems(of: "workers").isEmpty, "it runs")
            workers[0].terminate()
            try await workers[0].waitForEnd()
            try await installation.startGateway()
            report = try await examine(installation, status: 1)
            #expect(report.problems(of: "gateway").isEmpty && report.problems(of: "workers").count == 1)
        }
    }

    @Test("Without an API key doctor warns and exits with 0; with a wrong configuration it exits with 1")
    func exitStatuses() async throws {
        try await Installation.run { installation in
            _ = try await installation.startAll()
            var report = try await examine(installation, status: 0, environment: [:])
            #expect(report.warnings == 1)
            #expect(report.findings.first { $0.check == "keys" }?.severity == "warning")
            report = try await examine(installation, status: 1, environment: ["BACKLINE_HTTP_PORT": "many"])
            #expect(report.problems(of: "configuration").first?.message.contains("http.port") == true)
        }
    }
}
