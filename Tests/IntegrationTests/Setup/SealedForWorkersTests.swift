import Contracts
import Foundation
import Model
import Storage
import TestProcesses
import TestSupport
import Testing
import Vault

@Suite("Secrets that only workers can open", .timeLimit(.minutes(20)))
struct SealedForWorkersTests {
    /// The gateway's environment, with a path that has no key file.
    private static func elsewhere(_ base: Installation) -> [String: String] {
        ["BACKLINE_VAULT_KEY_FILE": base.folder + "/nowhere/vault.key"]
    }

    /// The gateway's remark on private keys that it can read.
    private static let readable = "this process should not be able to read the private keys"

    @Test("A gateway without access to the private keys accepts keys, signs in and connects once a worker has started")
    func gatewayWithoutKeys() async throws {
        try await Installation.run { base in
            let simulator = try await base.startSimulator()
            let gateway = try await base.startGateway(environment: Self.elsewhere(base))
            let (ada, gemini) = (try await base.addUser(), ["apiKey": Simulator.geminiKey])
            let files = base.vaultFiles
            // There is no public key yet, and the gateway does not make one.
            let early = try await ada.save("gemini", gemini)
            #expect(try early.status == 503 && early.problem.code == "vaultUnavailable")
            #expect(try await ada.post("/v1/setup/spotify/authorize", "{}").status == 503)
            #expect(!FileManager.default.fileExists(atPath: files.keys.path))
            for worker in Installation.Worker.allCases { _ = try await base.startWorker(worker) }
            try await base.connected(workers: Installation.Worker.allCases.count)

            #expect(try await ada.save("gemini", gemini).status == 200)
            let ticketmaster = ["apiKey": Simulator.testKey, "city": "Prague"]
            #expect(try await ada.save("ticketmaster", ticketmaster).status == 200)
            let spotify = SpotifyInstallation(base: base, upstream: simulator.spotify)
            #expect(try await spotify.connect(ada).status == 200)
            try await spotify.expireAccessToken()
            #expect(try await spotify.profile(ada).state == "succeeded")
            let google = GoogleInstallation(base: base, simulator: simulator)
            #expect(try await google.send(simulator.mintIDToken()).status == 200)
            let checklist = try await ada.setup()
            #expect(checklist.completed == 3, "\(checklist.steps)")
            let (key, sealed) = (try files.keys.read().current, try await base.storedSecrets())
            #expect(Set(sealed.map(\.secret.keyID)) == [key.id])
            // The key for Web Push is sealed at some time, too.
            #expect(sealed.count { $0.field != "webPushKey" } == 4)
            #expect(try files.publicKey.read() == key.publicKey)
            #expect(!FileManager.default.fileExists(atPath: base.folder + "/nowhere"))
            #expect(!gateway.errors.contains(Self.readable))
        }
    }

    @Test("A gateway that can read the private keys says so in its log")
    func readableKeys() async throws {
        try await Installation.run { base in
            _ = try #require(try base.vaultFiles.keys.make())
            let gateway = try await base.startGateway()
            try await gateway.waitForLog(Self.readable)
        }
    }

    @Test("Secrets whose keys no worker can read need attention at once, and recover without a restart")
    func unreadableKeys() async throws {
        try await Installation.run { base in
            let simulator = try await base.startSimulator()
            try await base.startGateway(environment: Self.elsewhere(base))
            for worker in [Installation.Worker.sync, .ai] { _ = try await base.startWorker(worker) }
            try await base.connected(workers: 2)
            let spotify = SpotifyInstallation(base: base, upstream: simulator.spotify)
            let ada = try await spotify.connectedUser()
            let path = base.vaultFiles.keys.path
            #expect(try await ada.setup().step("spotify")?.state == "complete")
            #expect(chmod(path, 0o640) == 0)
            let step = try await eventually("the workers' report") {
                let step = try #require(try await ada.setup().step("spotify"))
                return step.state == "needsAttention" ? step : nil
            }
            #expect(step.reason == "vaultUnavailable" && step.recovery == "fixConfiguration")
            #expect(step.detail.contains("backline doctor") && !step.detail.contains(path))
            #expect(try await spotify.connection().state == "connected", "nobody has called meanwhile")
            // This is also true when the only worker starts with unreadable keys.
            for worker in base.running("ai-worker") {
                worker.terminate()
                try await worker.waitForEnd()
            }
            let late = try await base.startWorker(.ai)
            try await late.waitForLog("chmod 600")
            #expect(try await ada.setup().step("spotify")?.reason == "vaultUnavailable")
            #expect(chmod(path, 0o600) == 0)
            try await eventually("its recovery") { try await ada.setup().step("spotify")?.state == "complete" }
        }
    }

    @Test(
        "A worker that is killed at any step of making the vault's files completes them after a restart",
        .enabled(Comment(rawValue: Tracing.whyNot)) { await Tracing.isPossible() })
    func killedWorker() async throws {
        try await Installation.run { base in
            _ = try await base.addUser()
            let files = base.vaultFiles
            let strace = try #require(Executable.tool("strace"))
            func isDone() -> Bool {
                guard let keyring = try? files.keys.read() else { return false }
                return (try? files.publicKey.read()) == keyring.current.publicKey
            }
            var killed: [String: Int] = [:]
            for call in ["link", "rename", "unlink", "fsync"] {
                for number in 1... {
                    // With -D strace is a child of the worker, so that signals reach the worker.
                    let process = try base.start(
                        "sync-worker",
                        through: [
                            strace, "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
                            "inject=\(call):signal=SIGKILL:when=\(number)",
                        ])
                    try await eventually("the worker's death, or the end of its work") {
                        process.end != nil || isDone()
                    }
                    // A key that was made is never replaced: something may be sealed with it.
                    let made = try? files.keys.read()
                    if process.end == nil {
                        process.terminate()
                        try await process.waitForEnd()
                    } else {
                        try await process.waitForEnd()
                        killed[call, default: 0] += 1
                        let next = try base.start("sync-worker")
                        try await eventually("the vault's files") { isDone() }
                        next.terminate()
                        try await next.waitForEnd()
                    }
                    let isThrough = process.end == .exited(0)
                    #expect(isDone(), "\(call) \(number)")
                    if let made { #expect(try files.keys.read() == made, "\(call) \(number)") }
                    // Restores the state before the first start.
                    try FileManager.default.removeItem(atPath: files.keys.path)
                    try FileManager.default.removeItem(atPath: files.publicKey.path)
                    try await base.withDatabase { database in
                        // A worker that lacks the key to something sealed makes no other key.
                        try await database.write { transaction in
                            try transaction.run("DELETE FROM web_push_keys")
                            try transaction.run("DELETE FROM installation_secrets")
                        }
                    }
                    if isThrough { break }
                }
            }
            #expect(killed.count == 4, "\(killed)")
        }
    }
}
