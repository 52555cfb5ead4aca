import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("scripts/install", .timeLimit(.minutes(20)))
struct InstallScriptTests {
    /// Installs this test run's executables below a folder.
    private func install(_ arguments: [String], into folder: String) async throws -> ChildProcess {
        try await ChildProcess.run(
            Repository.path("scripts/install"), ["--built", Executable.folder] + arguments,
            environment: ["DESTDIR": folder])
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test("The script installs all that Backline needs, and the installed programs run")
    func completeInstallation() async throws {
        try await Installation.run { installation in
            let root = "\(installation.folder)/root"
            let result = try await install([], into: root)
            #expect(result.end == .exited(0), "\(result.errors.lines)")
            let files = [
                "usr/local/bin/backline", "usr/local/libexec/backline/picture-helper", "etc/backline/backline.yaml",
                "usr/local/lib/sysusers.d/backline.conf",
                "usr/local/share/backline/supervisord.conf", "usr/local/share/doc/backline/operations.md",
                "usr/local/share/bash-completion/completions/backline",
                "usr/local/lib/systemd/system/backline-concert-worker@.service",
                "usr/local/lib/systemd/system/backline.target",
            ]
            for file in files { #expect(exists("\(root)/\(file)"), "\(file)") }
            // All folders with files that the programs read at run time are installed.
            let programs = "\(root)/usr/local/libexec/backline"
            let resources = try FileManager.default.contentsOfDirectory(atPath: Executable.folder)
                .filter { $0.hasPrefix("backline_") && $0.hasSuffix(".resources") }
            for folder in resources {
                #expect(
                    try FileManager.default.subpathsOfDirectory(atPath: "\(programs)/\(folder)").sorted()
                        == FileManager.default.subpathsOfDirectory(atPath: "\(Executable.folder)/\(folder)")
                        .sorted())
            }
            let environment = [
                "BACKLINE_CONFIG": "\(root)/etc/backline/backline.yaml", "BACKLINE_HTTP_PORT": "0",
            ]
            for program in ["api-gateway", "concert-worker", "sync-worker", "ai-worker"] {
                let process = try installation.start(program, environment: environment, from: programs)
                try await process.waitForLog(program == "api-gateway" ? "listening url" : "ready")
                // The program has read the installed configuration, without a warning.
                #expect(process.errors.contains("etc/backline/backline.yaml") && !process.errors.contains(" warning "))
                process.terminate()
                let end = try await process.waitForEnd()
                #expect(end == .exited(0), "\(program): \(process.errors.lines)")
            }
        }
    }

    @Test("The executable has no symbols; with --with-debug they are beside it, and it names them")
    func debugSymbols() async throws {
        let root = try TemporaryFolder()
        let programs = root.file("usr/local/libexec/backline")
        func sections() async throws -> String {
            let result = try await ChildProcess.run(
                try #require(Executable.tool("readelf")), ["--wide", "--sections", "\(programs)/backline"])
            return result.output.lines.joined(separator: "\n")
        }
        #expect(try await install(["--with-debug"], into: root.path).end == .exited(0))
        #expect(exists("\(programs)/.debug/backline.debug"))
        let linked = try await sections()
        #expect(linked.contains(".gnu_debuglink") && !linked.contains(".symtab") && !linked.contains(".debug_info"))
        // The symbols of an earlier executable would be misleading.
        #expect(try await install([], into: root.path).end == .exited(0))
        #expect(!exists("\(programs)/.debug"))
        #expect(try await !sections().contains(".gnu_debuglink"))
    }

    @Test("The executable is the command line under every name that does not belong to a service")
    func namesOfTheExecutable() async throws {
        let root = try TemporaryFolder()
        #expect(try await install([], into: root.path).end == .exited(0))
        let another = root.file("backline-of-yesterday")
        try FileManager.default.createSymbolicLink(
            atPath: another, withDestinationPath: root.file("usr/local/libexec/backline/backline"))
        for path in [root.file("usr/local/bin/backline"), another] {
            let result = try await ChildProcess.run(path, ["--help"])
            #expect(result.output.lines.contains("USAGE: backline <subcommand>"), "\(result.output.lines)")
        }
        let gateway = try await ChildProcess.run(
            root.file("usr/local/libexec/backline/api-gateway"), ["--version"])
        #expect(gateway.output.lines.first?.hasPrefix("api-gateway ") == true)
    }

    @Test("An existing configuration is kept, and all other files are replaced")
    func repeatedInstallation() async throws {
        let root = try TemporaryFolder()
        #expect(try await install([], into: root.path).end == .exited(0))
        let configuration = root.file("etc/backline/backline.yaml")
        try Data("log: {level: debug}\n".utf8).write(to: URL(filePath: configuration))
        #expect(try await install([], into: root.path).end == .exited(0))
        #expect(try String(contentsOfFile: configuration, encoding: .utf8) == "log: {level: debug}\n")
    }

    @Test("With another prefix the units name it and are where systemd reads them")
    func otherPrefix() async throws {
        let root = try TemporaryFolder()
        let result = try await install(["--prefix", "/opt/backline", "--sysconfdir", "/opt/etc"], into: root.path)
        #expect(result.end == .exited(0), "\(result.errors.lines)")
        let unit = try String(
            contentsOfFile: root.file("etc/systemd/system/backline-concert-worker@.service"), encoding: .utf8)
        #expect(
            unit.contains(
                "ExecStart=/opt/backline/libexec/backline/concert-worker --config /opt/etc/backline/backline.yaml\n"))
        #expect(unit.contains("LoadCredential=ticketmaster.key:/opt/etc/backline/ticketmaster.key\n"))
        #expect(!unit.contains("/usr/local") && exists(root.file("opt/etc/backline/backline.yaml")))
        #expect(exists(root.file("etc/sysusers.d/backline.conf")))
    }

    @Test("The files to which installed documents refer are also installed")
    func linkedDocuments() async throws {
        let root = try TemporaryFolder()
        #expect(try await install([], into: root.path).end == .exited(0))
        let folder = URL(filePath: root.file("usr/local/share/doc/backline"))
        let documents = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        #expect(documents.contains("operations.md") && documents.contains("decisions/004-binary-frames.md"))
        var links = 0
        for document in documents {
            let url = folder.appending(path: document)
            for link in try String(contentsOf: url, encoding: .utf8).matches(of: #/\]\((?!https?:)([^)#]+)/#) {
                let target = url.deletingLastPathComponent().appending(path: String(link.1)).standardizedFileURL.path
                #expect(exists(target) && target.hasPrefix(folder.path), "\(document): \(link.1)")
                links += 1
            }
        }
        #expect(links > 20)
        // The keys of processes and those of domains are in one file.
        let settings = try String(contentsOf: folder.appending(path: "backline.yaml"), encoding: .utf8)
        for section in ["database", "schedules", "library"] { #expect(settings.contains("\n\(section):\n")) }
    }

    @Test("The commands in docs/operations.md remove everything that was installed except the configuration")
    func removalByTheDocument() async throws {
        let root = try TemporaryFolder()
        #expect(try await install([], into: root.path).end == .exited(0))
        let page = try Repository.text("docs/operations.md")
        let command = try #require(page.firstMatch(of: #/\nsudo (rm -r (?:.*\\\n)*.*)\n/#)).1
            .replacing(" /usr/local/", with: " \(root.path)/usr/local/")
        #expect(try await ChildProcess.run("/bin/bash", ["-c", String(command)]).end == .exited(0))
        let left = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter {
            try URL(filePath: root.file($0)).resourceValues(forKeys: [.isDirectoryKey]).isDirectory == false
        }
        #expect(left == ["etc/backline/backline.yaml"])
    }

    @Test("For containers the script leaves out the files for systemd")
    func withoutUnits() async throws {
        let root = try TemporaryFolder()
        #expect(try await install(["--without-units"], into: root.path).end == .exited(0))
        #expect(exists(root.file("usr/local/libexec/backline/api-gateway")))
        #expect(!exists(root.file("etc")) && !exists(root.file("usr/local/lib/systemd")))
    }

    @Test(
        "An unknown argument is refused before anything has changed",
        arguments: [["--bogus"], ["--prefix"], ["--prefix", "opt"], ["--prefix", "/a b"]])
    func refusedArguments(arguments: [String]) async throws {
        let root = try TemporaryFolder()
        #expect(try await install(arguments, into: root.path).end == .exited(64))
        #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).isEmpty)
    }
}
