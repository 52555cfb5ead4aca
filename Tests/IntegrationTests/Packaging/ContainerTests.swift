import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("docker-compose.yml and Services/Dockerfile", .timeLimit(.minutes(20)))
struct ContainerTests {
    static let compose = Executable.tool("docker-compose")
    static let services: Set = ["gateway", "concert-worker", "sync-worker", "ai-worker"]
    static let whyNot: Comment = "docker-compose is missing (Debian's package docker-compose)"

    /// Each service's settings, as docker-compose reads them from the file.
    private func services() async throws -> [String: Substring] {
        let folder = try TemporaryFolder()
        let result = try await ChildProcess.run(
            try #require(Self.compose),
            ["--file", Repository.path("docker-compose.yml"), "--project-name", "test", "--profile", "demo", "config"],
            environment: ["HOME": folder.path], folder: folder.path)
        #expect(result.end == .exited(0), "\(result.errors.lines)")
        let lines = result.output.lines
        let start = try #require(lines.firstIndex(of: "services:"))
        var services: [String: Substring] = [:]
        var name = ""
        for line in lines[(start + 1)...].prefix(while: { $0.hasPrefix(" ") }) {
            if line.hasPrefix("    ") { services[name, default: "\n"] += line + "\n" } else { name = line }
        }
        return Dictionary(
            uniqueKeysWithValues: services.map { ($0.trimmingCharacters(in: [" ", ":"]), $1) })
    }

    @Test(
        "docker-compose accepts the file, and only the demo has the simulator",
        .enabled(if: compose != nil, whyNot))
    func profilesOfCompose() async throws {
        let services = try await services()
        #expect(Set(services.filter { !$1.contains("profiles:") }.keys) == Self.services)
        let demonstration = services.filter { $1.contains("\n    profiles:\n    - demo\n") }
        let workers: Set = ["demo-concert-worker", "demo-sync-worker", "demo-ai-worker"]
        #expect(Set(demonstration.keys) == workers.union(["simulator"]))
        // No worker of the demo calls a real upstream.
        for name in workers {
            let addresses = try #require(demonstration[name]).matches(of: #/BACKLINE_UPSTREAMS_(\w+)_BASE_URL: (\S+)/#)
            let names = Set(addresses.map { String($0.1) })
            let upstreams: Set = [
                "TICKETMASTER", "SPOTIFY", "SPOTIFY_ACCOUNTS", "GEMINI", "APPLE_MUSIC", "GOOGLE", "ITUNES",
            ]
            #expect(names == upstreams)
            #expect(addresses.allSatisfy { $0.2.hasPrefix("http://127.0.0.1:8090/") })
        }
    }

    @Test(
        "Every service runs a program, uses the one volume unless it is the simulator, and has a health check",
        .enabled(if: compose != nil, whyNot))
    func servicesOfCompose() async throws {
        for (name, service) in try await services() {
            let command = try #require(service.firstMatch(of: #/\n    command: (\S+)/#), "\(name)").1
            #expect(FileManager.default.isExecutableFile(atPath: Executable.product(String(command))), "\(name)")
            #expect(service.contains("data:/data:rw") == (name != "simulator"), "\(name)")
            #expect(service.contains("healthcheck:"), "\(name)")
            #expect(
                service.contains("stop_grace_period: 45s") && service.contains("restart: unless-stopped"), "\(name)")
        }
    }

    @Test(
        "Only workers mount the volume of the private keys, and only the gateway that of the keys of texts",
        .enabled(if: compose != nil, whyNot))
    func volumeOfPrivateKeys() async throws {
        for (name, service) in try await services() {
            #expect(service.contains("- vault:/data/vault:rw\n") == name.hasSuffix("-worker"), "\(name)")
            #expect(service.contains("- messages:/data/messages:rw\n") == (name == "gateway"), "\(name)")
            #expect(!service.contains("BACKLINE_VAULT"), "\(name)")
        }
        let text = try Repository.text("Services/Dockerfile")
        #expect(text.contains("-o backline -m 0700 /data /data/vault /data/messages\n"))
        #expect(text.contains("\nENV BACKLINE_DATABASE_PATH=/data/backline.sqlite\n"))
    }

    @Test("The limit for the writer's thread that an operator may add is that of the systemd units")
    func limitOfNiceness() throws {
        // RLIMIT_NICE is 20 minus the niceness.
        let limit = 20 - (try SystemdUnitTests.niceness())
        #expect(try Repository.text("docker-compose.yml").contains("\n    # ulimits:\n    #   nice: \(limit)\n"))
    }

    @Test("SQLite's temporary files are beside the database, since /tmp is in memory")
    func temporaryFiles() throws {
        let last = try #require(try Repository.text("Services/Dockerfile").components(separatedBy: "\nFROM ").last)
        #expect(last.contains("\nENV BACKLINE_DATABASE_PATH=/data/backline.sqlite\n"))
        #expect(last.contains("\nENV SQLITE_TMPDIR=/data\n"))
    }

    @Test("The images are built from files in their context, and run as an unprivileged account")
    func buildOfImages() throws {
        let text = try Repository.text("Services/Dockerfile")
        let context = try Repository.text(".dockerignore").split(separator: "\n").filter { $0.hasPrefix("!") }
            .map { $0.dropFirst() }
        // The stages by name; the last one, which is the image, has none.
        let stages = Dictionary(
            uniqueKeysWithValues: text.components(separatedBy: "\nFROM ").dropFirst().map { stage in
                (stage.firstMatch(of: #/^\S+ AS (\S+)/#).map { String($0.1) } ?? "", stage)
            })
        let build = try #require(stages["build"])
        for match in build.matches(of: #/(?m)^COPY (\S+) /#) {
            #expect(context.contains { match.1 == $0 || match.1.hasPrefix("\($0)/") }, "\(match.1)")
            #expect(FileManager.default.fileExists(atPath: Repository.path(String(match.1))), "\(match.1)")
        }
        let (runtime, image) = (try #require(stages["runtime"]), try #require(stages[""]))
        #expect(runtime.contains("\nUSER backline\n"))
        #expect(image.hasPrefix("runtime\n") && image.contains("\nVOLUME /data\n"))
        #expect(!image.contains("simulator") && stages["simulator"]?.hasPrefix("runtime AS ") == true)
    }
}
