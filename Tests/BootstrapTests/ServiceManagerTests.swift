import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import Bootstrap

// The time limit ends a test that waits for a datagram in vain.
@Suite("Notifying the service manager", .timeLimit(.minutes(5)))
struct ServiceManagerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func manager(_ listener: NotificationListener, _ environment: [String: String] = [:]) -> ServiceManager {
        ServiceManager(
            environment: ["NOTIFY_SOCKET": listener.address].merging(environment) { $1 }, processID: 4_711,
            logger: .silent)
    }

    @Test("Start, status and stop are sent, to a socket file and to an abstract name")
    func notificationsOfALife() async throws {
        for address in ["\(folder.path)/notify", "@backline-test-\(UUID().uuidString)"] {
            let listener = try NotificationListener(address: address)
            let manager = manager(listener)
            manager.ready("Listening on http://127.0.0.1:8080")
            manager.ready("Still there")
            manager.report("Two\nlines\r\nEXIT_STATUS=7")
            manager.report("Two\nlines\r\nEXIT_STATUS=7")
            manager.stopping("Stopping")
            manager.stopping("Stopping")
            manager.report("What is told late is not news")
            await listener.wait(for: "STOPPING=1")
            #expect(
                listener.messages.elements == [
                    ["READY=1", "STATUS=Listening on http://127.0.0.1:8080"], ["STATUS=Still there"],
                    ["STATUS=Two lines EXIT_STATUS=7"], ["STOPPING=1", "STATUS=Stopping"],
                ])
        }
    }

    @Test("More time to start is requested while work before the start takes long, and not afterwards")
    func longStart() async throws {
        let listener = try NotificationListener(address: "\(folder.path)/notify")
        let manager = manager(listener)
        let request = ["EXTEND_TIMEOUT_USEC=3000"]
        let answer = await manager.extendingStart(every: .milliseconds(1)) {
            await listener.messages.wait { $0.count { $0 == request } >= 3 }
            return 7
        }
        #expect(answer == 7)
        // A pending request may still be sent.
        manager.ready("Ready")
        await listener.wait(for: "READY=1")
        manager.report("Later")
        await listener.wait(for: "STATUS=Later")
        let afterwards = listener.messages.elements.drop { !$0.contains("READY=1") }
        #expect(afterwards.count { $0 == request } <= 1)
        struct RefusalError: Error {}
        await #expect(throws: RefusalError.self) { try await manager.extendingStart { throw RefusalError() } }
    }

    @Test("The watchdog is pinged only while all parts answer")
    func watchdogNeedsAllParts() async throws {
        let listener = try NotificationListener(address: "\(folder.path)/notify")
        let manager = manager(listener, ["WATCHDOG_USEC": "20000", "WATCHDOG_PID": "4711"])
        // A part that stops answering when the flag is set.
        let isHung = Mutex(false)
        let kept = Collector<@Sendable () -> Void>()
        manager.watch("part") { answer in
            if isHung.withLock({ $0 }) { kept.append(answer) } else { answer() }
        }
        #expect(listener.messages.elements.isEmpty)
        manager.ready("Ready")
        await listener.wait(forPings: 4)
        isHung.withLock { $0 = true }
        let answers = await kept.wait(for: 1)
        // The round in which the part is probed begins with the last ping.
        let healthy = try NotificationListener(address: "\(folder.path)/healthy")
        let clock = self.manager(healthy, ["WATCHDOG_USEC": "20000"])
        clock.ready("Ready")
        await healthy.wait(forPings: 10)
        let silent = listener.pings
        await healthy.wait(forPings: 20)
        #expect(listener.pings == silent)
        isHung.withLock { $0 = false }
        answers[0]()
        await listener.wait(forPings: silent + 3)
    }

    @Test("The watchdog's time is halved, and another process's is ignored")
    func watchdogInterval() {
        func interval(_ environment: [String: String]) -> Duration? {
            ServiceManager.interval(environment: environment, processID: 4_711)
        }
        #expect(interval(["WATCHDOG_USEC": "30000000"]) == .seconds(15))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "4711"]) == .seconds(15))
        #expect(interval(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"]) == nil)
        #expect(interval(["WATCHDOG_USEC": "0"]) == nil)
        #expect(interval(["WATCHDOG_USEC": "soon"]) == nil)
        #expect(interval([:]) == nil)
    }

    @Test(
        "A wrong address and a dead socket do not disturb the process",
        arguments: ["", "relative", "@", "vsock:2:1234", "/nowhere/notify", "/" + String(repeating: "x", count: 200)])
    func unusableSockets(address: String) async {
        let log = LogRecorder()
        let manager = ServiceManager(environment: ["NOTIFY_SOCKET": address], logger: log.logger)
        manager.ready("Ready")
        #expect(await log.wait(for: 1).count == 1)
        manager.stopping("Stopping")
    }

    @Test("No child process inherits the variables")
    func childrenInheritNoVariables() async {
        await #expect(processExitsWith: .success) {
            for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { setenv(name, "1", 1) }
            ServiceManager.withdrawVariables()
            for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { precondition(getenv(name) == nil) }
        }
    }
}
