import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("config/systemd", .timeLimit(.minutes(20)))
struct SystemdUnitTests {
    static let analyzer = Executable.tool("systemd-analyze")
    static let services = [
        "backline-api-gateway.service", "backline-sync-worker.service", "backline-ai-worker.service",
        "backline-concert-worker@.service",
    ]

    /// The shipped units in a folder of the test's own, for the executables of this test run.
    private func copyUnits(to folder: TemporaryFolder) throws -> [String] {
        try (Self.services + ["backline.target"]).map { name in
            let text = try Repository.text("config/systemd/\(name)")
            let installed = "/usr/local/libexec/backline/"
            #expect(name == "backline.target" || text.contains("ExecStart=\(installed)"), "\(name)")
            let path = folder.file(name)
            try Data(text.replacing(installed, with: Executable.folder + "/").utf8)
                .write(to: URL(filePath: path))
            return path
        }
    }

    private func analyze(_ arguments: [String], folder: TemporaryFolder) async throws -> ChildProcess {
        // The output has no colors and uses no pager.
        try await ChildProcess.run(
            try #require(Self.analyzer), arguments, environment: ["SYSTEMD_PAGER": "cat", "LC_ALL": "C.UTF-8"],
            folder: folder.path)
    }

    @Test(
        "systemd-analyze verify finds no problem",
        .enabled(if: analyzer != nil, "systemd-analyze is missing; scripts/bootstrap installs it"))
    func verifiedUnits() async throws {
        let folder = try TemporaryFolder()
        let result = try await analyze(["verify", "--man=no"] + copyUnits(to: folder), folder: folder)
        // An unknown directive is only a remark, and the exit status stays 0.
        let remarks = result.errors.lines.filter { $0.contains(folder.path) || $0.contains("backline") }
        #expect(result.end == .exited(0) && remarks.isEmpty, "\(result.errors.lines)")
    }

    @Test(
        "systemd-analyze security rates the units as a low exposure",
        .enabled(if: analyzer != nil, "systemd-analyze is missing; scripts/bootstrap installs it"),
        arguments: services)
    func exposureOfUnits(service: String) async throws {
        let folder = try TemporaryFolder()
        _ = try copyUnits(to: folder)
        let result = try await analyze(
            ["security", "--offline=true", "--no-pager", "--threshold=15", folder.file(service)], folder: folder)
        #expect(result.end == .exited(0), "\(result.output.lines.suffix(2))")
    }

    @Test("All units have the same account, folders and limits, except for settings of one service")
    func equalSettings() throws {
        let own = [
            "ExecStart", "TimeoutStartSec", "LimitNOFILE", "LimitNICE", "MemoryMax", "RestrictAddressFamilies",
            "Environment", "InaccessiblePaths",
        ]
        let texts = try Self.services.map { service in
            try Repository.text("config/systemd/\(service)").split(separator: "\n").drop { $0 != "[Service]" }
                .prefix { $0 != "[Install]" }
                .filter { line in
                    !line.hasPrefix("#") && !line.contains("Credential=")
                        && !own.contains { line.hasPrefix("\($0)=") }
                }
        }
        for (service, text) in zip(Self.services, texts) { #expect(text == texts[0], "\(service)") }
    }

    @Test("The units start after time synchronisation, and also start without it")
    func timeSynchronisation() throws {
        for service in Self.services {
            let lines = try Repository.text("config/systemd/\(service)").split(separator: "\n")
            let named = lines.filter { $0.contains("time-sync.target") }
            #expect(named.count == 1 && named[0].hasPrefix("After="), "\(service)")
        }
    }

    @Test("Only workers can read the private keys, in a folder that exists before the gateway starts")
    func accessToPrivateKeys() throws {
        let line = "\nInaccessiblePaths=/var/lib/backline/vault\n"
        for service in Self.services {
            let text = try Repository.text("config/systemd/\(service)")
            #expect(text.contains(line) == (service == "backline-api-gateway.service"), "\(service)")
            #expect(
                text.contains("\nStateDirectory=backline backline/vault backline/messages\nStateDirectoryMode=0700\n"),
                "\(service)")
            // The gateway shows private texts, and the sync-worker will send them.
            #expect(
                text.contains(" /var/lib/backline/messages\n")
                    == (service.contains("ai-worker") || service.contains("concert-worker")), "\(service)")
            // Otherwise one process could read another's memory.
            #expect(text.contains("\nPrivateUsers=yes\n"), "\(service)")
        }
        // This is the folder in which workers look for the keys.
        let configuration = try Repository.text("config/systemd/backline.yaml")
        #expect(configuration.contains("\n  path: /var/lib/backline/backline.sqlite\n"))
        #expect(!configuration.contains("keyFile"))
    }

    @Test("SQLite's temporary files are beside the database")
    func temporaryFiles() throws {
        for service in Self.services {
            let text = try Repository.text("config/systemd/\(service)")
            #expect(text.contains("\nEnvironment=SQLITE_TMPDIR=/var/lib/backline\n"), "\(service)")
        }
        let configuration = try Repository.text("config/systemd/backline.yaml")
        #expect(configuration.contains("\n  path: /var/lib/backline/backline.sqlite\n"))
    }

    @Test("The units' timeouts are longer than a process takes to stop and than a write waits for the lock")
    func timeoutsOfUnits() throws {
        let text = try Repository.text("config/systemd/backline-concert-worker@.service")
        let grace = try #require(
            try Repository.text("config/backline.yaml").firstMatch(of: #/graceSeconds: (\d+)/#).flatMap { Int($0.1) })
        let stop = try #require(text.firstMatch(of: #/TimeoutStopSec=(\d+)s/#).flatMap { Int($0.1) })
        // They are also longer than a token refresh that was sent before the grace period ends.
        #expect(stop > grace + 15)
        let watchdog = try #require(text.firstMatch(of: #/WatchdogSec=(\d+)s/#).flatMap { Int($0.1) })
        #expect(watchdog >= 30)
    }

    @Test(
        "The processes make no forbidden system call, and their writers get a higher priority",
        .enabled(if: analyzer != nil, "systemd-analyze is missing; scripts/bootstrap installs it"),
        .enabled(Comment(rawValue: Tracing.whyNot)) { await Tracing.isPossible() })
    func systemCalls() async throws {
        let allowed = try await allowedCalls()
        try await Installation.run { installation in
            #expect(try await installation.command("migrate").end == .exited(0))
            // strace also makes stopping slow.
            installation.configure(["BACKLINE_WORKER_GRACE_SECONDS": "120"])
            let gateway = try await installation.startGateway(through: tracer(of: "api-gateway", in: installation))
            let worker = try await installation.startWorker(through: tracer(of: "concert-worker", in: installation))
            let ada = try await installation.addUser()
            #expect(try await ada.submit(Echo.job(), wait: 30).state == "succeeded")
            // Without a key the search ends at once, with a warning.
            let search = try await ada.post("/v1/concert-searches", #"{"artists":["Coldplay"]}"#)
            #expect(search.status == 202, "\(search.text)")
            for process in [worker, gateway] {
                process.terminate()
                #expect(try await process.waitForEnd() == .exited(0))
                let trace = try await trace(of: process.name, in: installation)
                let calls = Set(trace.matches(of: #/(?m)^\d+ +([a-z0-9_]+)\(/#).map { String($0.1) })
                #expect(calls.count > 20)
                // SQLite calls fchown only as root, and the services have an account of their own.
                let mayChange: Set = geteuid() == 0 ? ["fchown"] : []
                #expect(calls.subtracting(allowed).subtracting(mayChange) == [], "\(process.name)")
                // RestrictRealtime= compares the whole argument: SCHED_OTHER with a flag is refused as well.
                let policies = Set(trace.matches(of: #/sched_setscheduler\(\d+, ([^,]+),/#).map { $0.1 })
                #expect(policies.isSubset(of: ["SCHED_OTHER", "SCHED_BATCH", "SCHED_IDLE"]), "\(policies)")
                let asked = trace.matches(of: #/sched_setattr\(0, .*sched_nice=(-\d+)/#).compactMap { Int($0.1) }
                #expect(asked == (process.name == "api-gateway" ? [try Self.niceness()] : []), "\(process.name)")
            }
        }
    }

    /// The command that executes a program under strace. With -D the program is the child of this test, and strace its
    /// grandchild.
    private func tracer(of program: String, in installation: Installation) throws -> [String] {
        [try #require(Executable.tool("strace")), "-D", "-f", "-q", "-o", "\(installation.folder)/\(program).trace"]
    }

    /// All system calls of a program that has ended.
    private func trace(of program: String, in installation: Installation) async throws -> String {
        try await eventually("the whole trace of \(program)") {
            let text = try String(contentsOfFile: "\(installation.folder)/\(program).trace", encoding: .utf8)
            return text.contains("+++ exited with 0 +++") ? text : nil
        }
    }

    /// The lowest niceness that the gateway's unit allows.
    static func niceness() throws -> Int {
        let text = try Repository.text("config/systemd/backline-api-gateway.service")
        return try #require(text.firstMatch(of: #/\nLimitNICE=(-\d+)\n/#).flatMap { Int($0.1) })
    }

    /// The system calls that `SystemCallFilter=` of the units allows.
    private func allowedCalls() async throws -> Set<String> {
        let folder = try TemporaryFolder()
        let result = try await analyze(["syscall-filter", "--no-pager"], folder: folder)
        var sets: [String: [String]] = [:]
        var current = ""
        for line in result.output.lines {
            if line.hasPrefix("@") { current = line } else { sets[current, default: []].append(line.trimmed) }
        }
        func members(of name: String) -> Set<String> {
            guard name.hasPrefix("@") else { return [name] }
            return (sets[name] ?? []).filter { !$0.hasPrefix("#") && !$0.isEmpty }
                .reduce(into: []) { $0.formUnion(members(of: $1)) }
        }
        var allowed = members(of: "@default")
        #expect(!allowed.isEmpty)
        for match in try Repository.text("config/systemd/\(Self.services[0])")
            .matches(of: #/(?m)^SystemCallFilter=(~?)(.+)$/#)
        {
            let named = match.2.split(separator: " ").reduce(into: Set()) { $0.formUnion(members(of: String($1))) }
            if match.1.isEmpty { allowed.formUnion(named) } else { allowed.subtract(named) }
        }
        return allowed
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
