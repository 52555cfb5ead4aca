import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("Secrets that people enter", .timeLimit(.minutes(20)))
struct PlantedSecretTests {
    @Test(
        "Entered secrets are in no file, log, job, message or response, and only workers send them, to their upstream",
        .enabled(Comment(rawValue: Tracing.whyNot)) { await Tracing.isPossible() })
    func secretsAreNowhere() async throws {
        try await SetupInstallation.run(environment: ["BACKLINE_LOG_LEVEL": "trace"]) { setup in
            let watch = try await Watch(of: setup)
            let ada = try await setup.base.addUser()
            let apple = try await setup.upstream.appleMusicKey()
            let wrong = "planted-and-wrong-0815"
            let google = GoogleInstallation(base: setup.base, simulator: setup.upstream)
            let idToken = try await setup.upstream.mintIDToken()
            let browser = google.browser()
            let back = try await google.decide(at: google.begin(browser))
            #expect(try await browser.open(back.target).location == "/feed")
            let answers = [
                try await ada.save("gemini", ["apiKey": wrong]),
                try await ada.save("ticketmaster", ["apiKey": wrong, "city": "Prague"]),
                try await ada.saveAppleMusic(apple, userToken: wrong),
                try await ada.save("gemini", ["apiKey": Simulator.geminiKey]),
                try await ada.save("ticketmaster", ["apiKey": Simulator.testKey, "city": "Prague"]),
                try await ada.saveAppleMusic(apple),
                try await ada.get("/v1/setup"), try await ada.get("/v1/jobs"),
                try await google.send(idToken), try await google.send(idToken + wrong),
                // The keys are also used.
                try await ada.post(
                    "/v1/concert-searches", #"{"artists":["Coldplay"]}"#, headers: ["Prefer": "wait=20"]),
            ]
            let statuses = [422, 422, 422, 200, 200, 200, 200, 200, 200, 401, 200]
            #expect(answers.map(\.status) == statuses, "\(answers.map(\.text))")
            let secrets = [
                wrong, Simulator.geminiKey, Simulator.testKey, apple.userToken, idToken,
                try #require(back.parameters["code"]),
                String(apple.privateKey.split(separator: "\n").max { $0.count < $1.count } ?? ""),
            ]
            let sent = try await watch.end()
            #expect(sent.contains { $0.isOfUpstream && $0.text.contains(Simulator.geminiKey) }, "nothing was watched")
            for secret in secrets {
                for answer in answers { #expect(!answer.text.contains(secret)) }
                #expect(!sent.contains { !$0.isOfUpstream && $0.text.contains(secret) })
                #expect(try setup.base.filesHolding(secret) == [])
                for process in setup.base.started where process.name != "upstream-sim" {
                    #expect(!process.errors.contains(secret) && !process.output.contains(secret), "\(process.name)")
                }
            }
        }
    }

    /// The writes of Backline's processes to sockets, pipes and files.
    private struct Watch {
        /// One system call.
        struct Call {
            var text: Substring
            /// Whether it is sent to the upstream simulator.
            var isOfUpstream: Bool
        }

        private let tracers: [(process: ChildProcess, file: String)]
        private let upstream: String

        init(of setup: SetupInstallation) async throws {
            let strace = try #require(Executable.tool("strace"))
            upstream = "->127.0.0.1:\(try #require(URL(string: setup.upstream.baseURL)?.port))]"
            let watched = setup.base.started.filter { $0.name != "upstream-sim" && $0.isRunning }
            tracers = try watched.map { process in
                let file = "\(setup.base.folder)/calls-\(process.processID)"
                let calls = "trace=write,writev,pwrite64,pwritev,sendto,sendmsg,sendmmsg"
                let arguments = ["-f", "-yy", "-s", "1000000", "-e", calls, "-o", file, "-p", "\(process.processID)"]
                return (try ChildProcess(strace, arguments, folder: setup.base.folder), file)
            }
            for tracer in tracers { try await tracer.process.waitForLog("attached") }
        }

        /// Reads all calls so far and deletes their files.
        func end() async throws -> [Call] {
            var calls: [Call] = []
            for tracer in tracers {
                await tracer.process.destroy()
                let text = String(decoding: try Data(contentsOf: URL(filePath: tracer.file)), as: UTF8.self)
                try FileManager.default.removeItem(atPath: tracer.file)
                calls += text.split(separator: "\n").map { Call(text: $0, isOfUpstream: $0.contains(upstream)) }
            }
            return calls
        }
    }
}

extension Installation {
    /// The names of the files in the installation's folder that contain a text.
    fileprivate func filesHolding(_ text: String) throws -> [String] {
        let wanted = Data(text.utf8)
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
            FileManager.default.contents(atPath: "\(folder)/\(name)")?.range(of: wanted) != nil
        }
    }
}
