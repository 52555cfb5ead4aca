import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("Processes under a service manager", .timeLimit(.minutes(20)))
struct ServiceManagerProcessTests {
    /// Starts a program with a notification socket of its own.
    private func start(
        _ program: String, in installation: Installation, watchdog: Bool = false, name: String? = nil
    ) throws -> (process: ChildProcess, listener: NotificationListener) {
        let name = name ?? program
        let listener = try NotificationListener(address: "\(installation.folder)/\(name).notify")
        var environment = ["NOTIFY_SOCKET": listener.address, "BACKLINE_HTTP_PORT": "0"]
        if watchdog { environment.merge(Self.watched) { $1 } }
        return (try installation.start(program, name: name, environment: environment), listener)
    }

    /// A ping every second: on a busy machine even a healthy part answers late by tenths of a second.
    private static let watched = ["WATCHDOG_USEC": "2000000"]

    @Test("A gateway reports that it is ready when it listens, where it listens, and when it begins to stop")
    func lifeOfAGateway() async throws {
        try await Installation.run { installation in
            let (gateway, listener) = try start("api-gateway", in: installation)
            await listener.wait(for: "READY=1")
            let first = try #require(listener.messages.elements.first)
            #expect(first.count == 2 && first[0] == "READY=1")
            let status = try #require(first.last)
            let url = try #require(status.wholeMatch(of: #/STATUS=Listening on (http:\S+)/#)?.output.1)
            #expect(try await APIClient(baseURL: String(url)).get("/readyz").status == 200)
            gateway.terminate()
            #expect(try await gateway.waitForEnd() == .exited(0))
            await listener.wait(for: "STOPPING=1")
            // Without WATCHDOG_USEC no pings are sent.
            #expect(listener.pings == 0)
        }
    }

    @Test(
        "A worker reports that it is ready without a gateway or a database, and what it waits for",
        arguments: Installation.Worker.allCases)
    func lifeOfAWorker(_ kind: Installation.Worker) async throws {
        try await Installation.run { installation in
            let (worker, listener) = try start(kind.rawValue, in: installation)
            await listener.wait(for: "READY=1")
            await listener.messages.wait { $0.contains { $0.joined().contains("to be migrated from schema 0") } }
            #expect(try await installation.command("migrate").end == .exited(0))
            await listener.wait(for: "STATUS=Waiting for the gateway")
            let gateway = try await installation.startGateway()
            await listener.wait(for: "STATUS=Registered with the gateway")
            gateway.kill()
            await listener.wait(for: "STATUS=The gateway does not answer; reconnecting")
            worker.terminate()
            #expect(try await worker.waitForEnd() == .exited(0))
            await listener.wait(for: "STOPPING=1")
            #expect(listener.messages.elements.count { $0.contains("READY=1") } == 1)
        }
    }

    @Test("A process that cannot start never reports that it is ready")
    func noStart() async throws {
        try await Installation.run { installation in
            try await installation.startGateway()
            let (second, listener) = try start("api-gateway", in: installation, name: "second")
            #expect(try await second.waitForEnd() == .exited(1))
            #expect(listener.messages.elements.isEmpty)
        }
    }

    @Test(
        "A process that is stopped sends no pings, and sends them again when it continues",
        arguments: ["api-gateway", "concert-worker"])
    func stoppedProcess(program: String) async throws {
        try await Installation.run { installation in
            let (process, listener) = try start(program, in: installation, watchdog: true)
            let (_, clock) = try start("sync-worker", in: installation, watchdog: true)
            await listener.wait(forPings: 2)
            process.pause()
            try await expectSilence(of: listener, by: clock)
            process.resume()
            await listener.wait(forPings: listener.pings + 2)
        }
    }

    @Test(
        "A process with a thread that hangs sends no pings, and its log names the part",
        .enabled("\(Tracing.whyNot)") { await Tracing.isPossible() },
        arguments: [
            ("api-gateway", "backline-writer", "database writer"), ("api-gateway", "zmq-router", "messaging"),
            ("api-gateway", "NIO-SGLTN-", "HTTP"), ("concert-worker", "zmq-dealer", "messaging"),
            ("concert-worker", "http-transport", "upstream transport"),
        ])
    func hangingThread(program: String, thread: String, part: String) async throws {
        try await Installation.run { installation in
            #expect(try await installation.command("migrate").end == .exited(0))
            let (process, listener) = try start(program, in: installation, watchdog: true)
            let (_, clock) = try start("sync-worker", in: installation, watchdog: true)
            await listener.wait(forPings: 2)
            let identifier =
                try await eventually("the thread \(thread)") { try id(ofThread: thread, in: process) } as Int
            let before = process.errors.silences(of: part)
            // strace delays every system call of only this thread by an hour.
            let strace = try #require(Executable.tool("strace"))
            let tracer = try ChildProcess(
                strace, ["-p", "\(identifier)", "-e", "inject=all:delay_enter=3600s"], folder: installation.folder)
            try await tracer.waitForLog("attached")
            // Other parts may answer late, before this one hangs and while it does.
            try await eventually("the log to name the \(part)") { process.errors.silences(of: part) > before }
            try await expectSilence(of: listener, by: clock)
            let recoveries = process.errors.count(of: "answer again")
            // Without strace the delay ends.
            await tracer.destroy()
            try await eventually("the \(part) to answer again") {
                process.errors.count(of: "answer again") > recoveries
            }
            await listener.wait(forPings: listener.pings + 2)
        }
    }

    @Test("A process that waits for the write lock keeps sending pings, because a restart would not help")
    func waitingForTheLock() async throws {
        try await Installation.run { installation in
            let listener = try NotificationListener(address: "\(installation.folder)/api-gateway.notify")
            try await installation.startGateway(
                environment: Self.watched.merging(["NOTIFY_SOCKET": listener.address]) { $1 })
            let ada = try await installation.addUser()
            let holder = try await ChildProcess.holdingLock(of: installation.databasePath + ".lock")
            // The write is refused after five seconds, for which the writer has waited. It continues to wait. There are
            // no pings while it counts as hung.
            #expect(try await ada.post("/v1/jobs", Echo.job()).status == 503)
            await listener.wait(forPings: listener.pings + 2)
            await holder.destroy()
        }
    }

    /// Expects no ping from one process while another one sends three.
    private func expectSilence(of listener: NotificationListener, by clock: NotificationListener) async throws {
        // Pings that were sent before have arrived when the other process has sent two more.
        await clock.wait(forPings: clock.pings + 2)
        let before = listener.pings
        await clock.wait(forPings: clock.pings + 3)
        #expect(listener.pings == before)
    }

    /// The first thread of a process whose name has the given prefix.
    private func id(ofThread name: String, in process: ChildProcess) throws -> Int? {
        let folder = "/proc/\(process.processID)/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).first { id in
            // `String(contentsOfFile:)` fails on such a file when it has 16 bytes.
            let file = FileHandle(forReadingAtPath: "\(folder)/\(id)/comm")
            return file?.readDataToEndOfFile().starts(with: name.utf8) == true
        }.flatMap { Int($0) }
    }
}

extension LineLog {
    /// How often the watchdog has named a part among those that do not answer.
    fileprivate func silences(of part: String) -> Int {
        lines.count { line in
            guard line.contains("not answering"), let parts = line.firstRange(of: "parts=") else { return false }
            return line[parts.upperBound...].contains(part)
        }
    }
}
