import Composition
import Foundation
import Logging
import Model
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import Bootstrap

@Suite("A service's command line")
struct ServiceArgumentsTests {
    @Test("A service accepts --config in two spellings, --help and --version")
    func understoodArguments() {
        #expect(ServiceArguments([]) == .start(configurationFile: nil))
        #expect(ServiceArguments(["--config", "a.yaml"]) == .start(configurationFile: "a.yaml"))
        #expect(ServiceArguments(["--config=a=b.yaml"]) == .start(configurationFile: "a=b.yaml"))
        #expect(ServiceArguments(["--config", "a.yaml", "--help"]) == .help)
        #expect(ServiceArguments(["--version"]) == .version)
    }

    @Test("Any other argument is refused")
    func refusedArguments() {
        #expect(ServiceArguments(["--confg", "a"]) == .misuse(#"unknown argument "--confg""#))
        #expect(ServiceArguments(["a.yaml"]) == .misuse(#"unknown argument "a.yaml""#))
        #expect(ServiceArguments(["--config"]) == .misuse("--config needs the path of a file"))
        #expect(ServiceArguments(["--config", "a", "--config=b"]) == .misuse("--config was given twice"))
    }
}

// The time limit ends a test that waits for the services' end in vain.
@Suite("Running services", .timeLimit(.minutes(5)))
struct ServiceRunnerTests {
    @Test("A wrong command line exits with 64 and the usage, a wrong configuration with 78 and all problems")
    func exitStatusesOfMisuse() throws {
        func leave(_ arguments: [String], _ environment: [String: String] = [:]) -> (ProcessStatus, String, String)? {
            guard
                case .exit(let status, let output, let complaint) = ServiceRunner.prepare(
                    name: "concert-worker", sections: .all, arguments: arguments, environment: environment)
            else { return nil }
            return (status, output, complaint)
        }
        let misuse = try #require(leave(["--bogus"]))
        #expect(misuse.0.rawValue == 64 && misuse.1.isEmpty)
        #expect(
            misuse.2.hasPrefix("concert-worker: unknown argument \"--bogus\"\n\nUsage: concert-worker [--config PATH]"))

        let wrong = try #require(leave([], ["BACKLINE_HTTP_PORT": "x", "BACKLINE_LOG_LEVEL": "y"]))
        #expect(wrong.0.rawValue == 78 && wrong.1.isEmpty)
        let lines = wrong.2.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("concert-worker: error: ") })

        let help = try #require(leave(["--help"]))
        #expect(help.0.rawValue == 0 && help.1.hasPrefix("Usage: ") && help.2.isEmpty)
        let version = try #require(leave(["--version"]))
        #expect(version.1 == "concert-worker \(BacklineVersion.current)\n")
    }

    /// Ends as its mode says, and records when it is asked to stop.
    private struct Sample: Service {
        enum End { case whenTold, throwsAtOnce, never }
        struct Failure: Error {}
        let end: End
        var released: AsyncStream<Void>?

        func run() async throws {
            switch end {
            case .whenTold: try await gracefulShutdown()
            case .throwsAtOnce: throw Failure()
            case .never:
                // Ignores shutdown and cancellation until the test releases it.
                let released = released
                await Task.detached {
                    guard let released else { return }
                    for await _ in released {}
                }.value
            }
        }
    }

    private func unheard() -> ServiceManager { ServiceManager(environment: [:], logger: .silent) }

    @Test("A service that fails stops the others, and the exit status is a failure")
    func failureStopsTheOthers() async {
        let status = await ServiceRunner.serve(
            [Sample(end: .whenTold), Sample(end: .throwsAtOnce)], gracePeriod: .seconds(600), signals: [],
            manager: unheard(), logger: .silent, expire: {})
        #expect(status == .failure)
    }

    /// Runs the services inside a group, from which they inherit its shutdown.
    private final class Outer: Service {
        let services: [any Service]
        let status = Mutex<ProcessStatus?>(nil)

        init(services: [any Service]) {
            self.services = services
        }

        func run() async {
            let result = await ServiceRunner.serve(
                services, gracePeriod: .seconds(600), signals: [],
                manager: ServiceManager(environment: [:], logger: Logger(label: "test")),
                logger: .silent, expire: {})
            status.withLock { $0 = result }
        }
    }

    @Test("Services that stop when asked exit with success")
    func gracefulStop() async throws {
        let outer = Outer(services: [Sample(end: .whenTold), Sample(end: .whenTold)])
        let group = ServiceGroup(services: [outer], logger: .silent)
        await group.triggerGracefulShutdown()
        try await group.run()
        #expect(outer.status.withLock { $0 } == .success)
    }

    @Test("Work that must not be interrupted may exceed the grace period, up to its latest end")
    func workThatMustEnd() async {
        let (released, release) = AsyncStream<Void>.makeStream()
        let events = Mutex<[String]>([])
        let manager = unheard()
        manager.awaitBeforeLeaving { nil }
        manager.awaitBeforeLeaving {
            // The work runs at the first call and has ended at the second.
            events.withLock { events in
                events.append("asked")
                return events.count == 1 ? MonotonicInstant.now().advanced(by: .milliseconds(20)) : nil
            }
        }
        _ = await ServiceRunner.serve(
            [Sample(end: .never, released: released), Sample(end: .throwsAtOnce)], gracePeriod: .milliseconds(1),
            signals: [], manager: manager, logger: .silent
        ) {
            events.withLock { $0.append("left") }
            release.finish()
        }
        #expect(events.withLock { $0 } == ["asked", "asked", "left"])
    }

    @Test("Services that are still busy at the end of the grace period are terminated")
    func endOfGracePeriod() async {
        let (released, release) = AsyncStream<Void>.makeStream()
        let expired = Mutex(0)
        let status = await ServiceRunner.serve(
            [Sample(end: .never, released: released), Sample(end: .throwsAtOnce)], gracePeriod: .milliseconds(1),
            signals: [], manager: unheard(), logger: .silent
        ) {
            expired.withLock { $0 += 1 }
            release.finish()
        }
        #expect(expired.withLock { $0 } == 1)
        #expect(status == .failure)
    }
}
