import Contracts
import Foundation
import Messaging
import TestProcesses
import TestSupport
import Testing

@Suite("Messages over TCP with CURVE keys", .timeLimit(.minutes(20)))
struct CurveTests {
    /// Runs an installation that uses CURVE on a loopback address, like on a network.
    private func run(_ body: (Installation) async throws -> Void) async throws {
        let reservation = try PortReservation()
        let environment = [
            "BACKLINE_MESSAGING_ENDPOINT": "tcp://127.0.0.1:\(reservation.port)",
            "BACKLINE_MESSAGING_CURVE": "always",
        ]
        try await Installation.run(environment: environment, body)
        withExtendedLifetime(reservation) {}
    }

    private func keyFile(_ name: String, of installation: Installation) -> [String: String] {
        ["BACKLINE_MESSAGING_KEY_FILE": "\(installation.folder)/keys/\(name).secret"]
    }

    private func refused(_ reason: Messaging.Refusal.Reason, at installation: Installation) async throws {
        try await installation.metrics("a refusal for \(reason)") {
            $0.sum("backline_messaging_refused_total", ["reason": reason.rawValue, "process": "api-gateway"]) > 0
        }
    }

    @Test("A revoked key disconnects its worker at once, and its jobs run on another worker")
    func revokedKey() async throws {
        try await run { installation in
            #expect(try await installation.backline("keys", "new", "--gateway").status == 0)
            for name in ["first", "second"] {
                #expect(try await installation.backline("keys", "new", name).status == 0)
            }
            let gateway = try await installation.startGateway()
            let first = try await installation.startWorker(environment: keyFile("first", of: installation))
            try await installation.connected(workers: 1)
            let ada = try await installation.addUser(isAdmin: true)
            let job = try await ada.submit(Echo.job(1, sleepMs: 30_000))
            try await ada.job(job.id, reaches: "running")
            // This job is handed out after the other one.
            #expect(try await ada.submit(Echo.job(2), wait: 30).state == "succeeded")
            _ = try await installation.startWorker(.sync, environment: keyFile("second", of: installation))
            try await installation.connected(workers: 2)

            #expect(try await installation.backline("keys", "revoke", "first").status == 0)
            let (run, instance) = try #require(try await installation.nextRun(ofJob: job.id, after: 1))
            #expect(run == 2 && instance.hasPrefix("sync-worker"))
            try await first.waitForLog("the gateway refuses this worker's key")
            try await refused(.revokedKey, at: installation)
            try await installation.connected(workers: 1)
            #expect(try await ada.ended(job.id).state == "succeeded")
            let entry = try #require(try await installation.storedJobs()[job.id])
            #expect(entry.run == 2 && entry.attempt == 1 && !entry.isSuspect && entry.crashes == 0)
            try await gateway.waitForLog("refused a peer at the messaging endpoint")
            try await gateway.waitForLog("keyName=first")

            // The same worker is accepted with a new key, without a restart of the gateway.
            #expect(try await installation.backline("keys", "new", "third").status == 0)
            first.terminate()
            try await first.waitForEnd()
            _ = try await installation.startWorker(environment: keyFile("third", of: installation))
            try await installation.connected(workers: 2)
            try await expectNoSecrets(in: installation, ["first", "second", "third", "gateway"])
        }
    }

    /// Expects that no process has written a secret key to its log.
    private func expectNoSecrets(in installation: Installation, _ names: [String]) async throws {
        for name in names {
            let text = try String(contentsOfFile: "\(installation.folder)/keys/\(name).secret", encoding: .utf8)
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("secret-key: ") })
            let secret = String(line.dropFirst("secret-key: ".count))
            for program in ["api-gateway", "concert-worker", "sync-worker"] {
                for process in installation.running(program) { #expect(!process.errors.contains(secret)) }
            }
        }
    }

    @Test("A worker with a key that is not allowed says so, keeps trying, and works once it is allowed")
    func unknownKey() async throws {
        try await run { installation in
            #expect(try await installation.backline("keys", "new", "--gateway").status == 0)
            #expect(try await installation.backline("keys", "new", "early").status == 0)
            let list = "\(installation.folder)/keys/workers/early.pub"
            let entry = try Data(contentsOf: URL(filePath: list))
            try FileManager.default.removeItem(atPath: list)
            try await installation.startGateway()
            let worker = try await installation.startWorker(environment: keyFile("early", of: installation))
            try await worker.waitForLog("the gateway refuses this worker's key")
            try await refused(.unknownKey, at: installation)
            try await installation.connected(workers: 0)
            try entry.write(to: URL(filePath: list))
            try await installation.connected(workers: 1)
            #expect(try await installation.addUser().submit(Echo.job(), wait: 30).state == "succeeded")
        }
    }

    @Test("A worker without a key says what is wrong, and so does one with another gateway's public key")
    func wrongWorkers() async throws {
        try await run { installation in
            #expect(try await installation.backline("keys", "new", "--gateway").status == 0)
            #expect(try await installation.backline("keys", "new", "w").status == 0)
            try await installation.startGateway()
            // With "network", a loopback address needs no keys.
            let plain = try await installation.startWorker(environment: ["BACKLINE_MESSAGING_CURVE": "network"])
            // Either end may close the connection first, which determines the worker's message.
            try await eventually("the plain worker to report it") {
                ["the gateway uses CURVE and this worker does not", "check that it uses CURVE as this worker does"]
                    .contains { plain.errors.contains($0) }
            }
            let astray = try await installation.startWorker(
                environment: keyFile("w", of: installation).merging([
                    "BACKLINE_MESSAGING_GATEWAY_KEY_FILE": "\(installation.folder)/keys/workers/w.pub"
                ]) { $1 })
            try await astray.waitForLog("messaging.gatewayKeyFile is the public key of this gateway")
            try await refused(.gatewayKey, at: installation)
            try await installation.metrics("the plain worker to be refused") { metrics in
                ["noCurve", "handshake"].contains {
                    metrics.sum("backline_messaging_refused_total", ["reason": $0]) > 0
                }
            }
            try await installation.connected(workers: 0)
            _ = try await installation.startWorker(environment: keyFile("w", of: installation))
            try await installation.connected(workers: 1)
        }
    }

    @Test("On a network no process starts without keys or with keys that others can read, and each says what to do")
    func refusesToStart() async throws {
        try await Installation.run { installation in
            let network = ["BACKLINE_MESSAGING_ENDPOINT": "tcp://0.0.0.0:5570", "BACKLINE_HTTP_PORT": "0"]
            func end(_ program: String, _ environment: [String: String], says text: String) async throws {
                let process = try installation.start(program, environment: network.merging(environment) { $1 })
                #expect(try await process.waitForEnd() == .exited(78))
                #expect(process.errors.contains(text), "\(process.errors.lines)")
                #expect(!process.output.contains("listening"))
            }
            try await end("api-gateway", [:], says: "backline keys new --gateway")
            try await end("concert-worker", [:], says: "backline keys new NAME")
            #expect(try await installation.backline("keys", "new", "--gateway").status == 0)
            #expect(try await installation.backline("keys", "new", "w").status == 0)
            for name in ["gateway", "w"] { #expect(chmod("\(installation.folder)/keys/\(name).secret", 0o644) == 0) }
            try await end("api-gateway", [:], says: "chmod 600 '\(installation.folder)/keys/gateway.secret'")
            try await end(
                "concert-worker", keyFile("w", of: installation),
                says: "chmod 600 '\(installation.folder)/keys/w.secret'")
        }
    }

    @Test("A frame of another protocol version is refused and counted, and has no effect")
    func otherProtocolVersion() async throws {
        try await Installation.run { installation in
            let gateway = try await installation.startGateway()
            let stranger = try await ScriptedWorker.connect(to: installation, name: "stranger")
            stranger.send(frame: [1, 1, 0xff, 0xff])
            try await refused(.protocolVersion, at: installation)
            try await gateway.waitForLog("reason=protocolVersion")
            try await gateway.waitForLog("1, not \(protocolVersion)")
            await stranger.close()
            _ = try await installation.startWorker()
            try await installation.connected(workers: 1)
        }
    }
}
