import Foundation
import Model
import Synchronization
import TestSupport
import Testing

@testable import Upstream

@Suite("Limits across real processes", .timeLimit(.minutes(5)))
struct PermitProcessTests {
    @Test("Three processes at full load respect the limit, and all their calls are answered")
    func threeProcessesAtFullLoad() async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let server = try LocalHTTPServer { _ in .answer(after: .milliseconds(20)) }
        defer { server.stop() }
        let settings = PermitProbeProcess.Settings(
            database: storage.path, baseURL: server.baseURL, calls: 20, requests: 5, windowMilliseconds: 200,
            // A long timeout, because answers may be late with three processes on a busy machine.
            timeoutMilliseconds: 10_000)
        let probes = try (0..<3).map { _ in try PermitProbeProcess(settings) }
        for probe in probes { #expect(try await probe.line("ready") != nil) }
        for probe in probes { try probe.begin() }
        for probe in probes { #expect(try await probe.line("answered 20,") != nil) }

        #expect(server.received.count == 60)
        expectLimit(server.received, requests: 5, window: .milliseconds(200))
    }

    @Test("The limit holds with kill -9 after the grant and after the send, and SIGSTOP after the grant")
    func killedAndStoppedProcesses() async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let doomed = Atomic<Int32>(0)
        let server = try LocalHTTPServer { arrival in
            let victim = doomed.load(ordering: .relaxed)
            if victim != 0, arrival.target == "/\(victim)" {
                // The request has arrived. The process is killed before its answer.
                kill(victim, SIGKILL)
                return .close
            }
            return .answer(after: .milliseconds(20))
        }
        defer { server.stop() }
        func probe(calls: Int, signalAfterGrant: Int32? = nil) throws -> PermitProbeProcess {
            try PermitProbeProcess(
                .init(
                    database: storage.path, baseURL: server.baseURL, calls: calls, requests: 4,
                    windowMilliseconds: 300, signalAfterGrant: signalAfterGrant))
        }
        let steady = try probe(calls: 16)
        let frozen = try probe(calls: 6, signalAfterGrant: SIGSTOP)
        let killed = try probe(calls: 6, signalAfterGrant: SIGKILL)
        let killedLater = try probe(calls: 6)
        for probe in [steady, frozen, killed, killedLater] { #expect(try await probe.line("ready") != nil) }
        doomed.store(killedLater.process.processID, ordering: .relaxed)
        for probe in [steady, frozen, killed, killedLater] { try probe.begin() }

        #expect(try await frozen.line("granted") != nil)
        // Long enough for its permits to expire and for others to take their slots.
        try await MonotonicInstant.now().advanced(by: .milliseconds(2_800)).sleep()
        frozen.process.resume()

        #expect(try await steady.line("answered 16,") != nil)
        let line = try await frozen.line("answered")
        #expect(line?.hasPrefix("answered 6,") == true)
        #expect(line?.hasSuffix(" 0") == false, "what was granted before the stop must not be sent after it")
        #expect(try await killed.line("answered") == nil)
        #expect(try await killedLater.line("answered") == nil)
        #expect(server.received.count { $0.target == "/\(steady.process.processID)" } == 16)
        expectLimit(server.received, requests: 4, window: .milliseconds(300))
    }

    @Test("Several limits, of requests and of weight, are all respected while a process is killed with its grants")
    func severalLimits() async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        let server = try LocalHTTPServer { arrival in
            // The reported weight is half of the estimate.
            let weight = Int(arrival.target.split(separator: "/").last ?? "") ?? 0
            return .answer(body: Array("\(weight / 2)".utf8), after: .milliseconds(10))
        }
        defer { server.stop() }
        let window = Duration.milliseconds(400)
        func probe(signalAfterGrant: Int32? = nil) throws -> PermitProbeProcess {
            try PermitProbeProcess(
                .init(
                    database: storage.path, baseURL: server.baseURL, calls: 12, requests: 4, windowMilliseconds: 100,
                    timeoutMilliseconds: 4_000, signalAfterGrant: signalAfterGrant,
                    quotas: [
                        .init(name: "requests", isOfWeight: false, amount: 8, windowMilliseconds: 400),
                        .init(name: "weight", isOfWeight: true, amount: 100, windowMilliseconds: 400),
                    ], heaviest: 30))
        }
        let probes = try [probe(), probe(), probe(signalAfterGrant: SIGKILL)]
        for probe in probes { #expect(try await probe.line("ready") != nil) }
        for probe in probes { try probe.begin() }
        for probe in probes.prefix(2) { #expect(try await probe.line("answered 12,") != nil) }
        #expect(try await probes[2].line("answered") == nil)

        expectLimit(server.received, requests: 4, window: .milliseconds(100))
        expectLimit(server.received, requests: 8, window: window)
        let arrivals = server.received.sorted { $0.arrivedAt < $1.arrivedAt }
        for (index, first) in arrivals.enumerated() {
            let weight = arrivals[index...].prefix { first.arrivedAt.duration(to: $0.arrivedAt) <= window }
                .reduce(0) { $0 + (Int($1.target.split(separator: "/").last ?? "") ?? 0) / 2 }
            #expect(weight <= 100, "\(weight) within \(window)")
        }
    }
}
