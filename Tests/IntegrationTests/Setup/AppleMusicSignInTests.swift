import AsyncHTTPClient
import Foundation
import NIOCore
import TestProcesses
import TestSupport
import Testing

@Suite("Signing in with Apple, through real processes", .timeLimit(.minutes(20)))
struct AppleMusicSignInTests {
    private struct SignIn: Decodable {
        var developerToken: String
        var scriptURL: String
    }

    private static let browser = HTTPClient(eventLoopGroupProvider: .singleton)

    /// Gives consent on Apple's page, like the script's window; returns the token that the window sends to its opener.
    private func consent(_ signIn: SignIn, openedBy origin: String) async throws -> String {
        let page = signIn.scriptURL.replacing("/musickit.js", with: "/authorize")
        var request = HTTPClientRequest(url: "\(page)?app=Backline&token=\(signIn.developerToken)")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.headers.add(name: "Referer", value: origin + "/")
        request.body = .bytes(ByteBuffer(string: "decision=allow"))
        let response = try await Self.browser.execute(request, timeout: .seconds(90))
        let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
        try #require(response.status == .ok, "\(text)")
        return String(try #require(text.firstMatch(of: /token: "([^"]+)"/)).1)
    }

    @Test("A worker signs the page's token; the person's token connects, and is in no log, file or answer")
    func signIn() async throws {
        try await Installation.run(environment: ["BACKLINE_LOG_LEVEL": "trace"]) { base in
            let simulator = try await base.startSimulator()
            try await base.configure(simulator.appleMusicKey())
            try await base.startGateway()
            _ = try await base.startWorker(.sync)
            try await base.connected(workers: 1)
            let ada = try await base.addUser("ada")

            let begun = try await ada.post("/v1/setup/apple-music/sign-in", nil)
            #expect(begun.status == 200, "\(begun.text)")
            let signIn = try begun.decode(SignIn.self)
            let userToken = try await consent(signIn, openedBy: ada.baseURL)
            let saved = try await ada.save("apple-music", ["userToken": userToken])
            #expect(saved.status == 200, "\(saved.text)")
            let step = try #require(try await ada.setup().step("appleMusic"))
            #expect(step.state == "complete")
            try await eventually("the sync that connecting began") {
                try await ada.get("/v1/library/summary").text.contains("\"lastSyncedAt\":\"")
            }

            // Apple invalidates the token: the person signs in again.
            try await simulator.appleMusic.configure(["userTokens": .object(["other": .string("fr")])])
            _ = try await ada.post("/v1/library/syncs", #"{"force": true}"#)
            try await eventually("the end of the token") {
                try await ada.setup().step("appleMusic")?.reason == "userTokenRefused"
            }
            let ended = try #require(try await ada.setup().step("appleMusic"))
            #expect(ended.state == "needsAttention" && ended.recovery == "reconnect")
            let again = try await consent(signIn, openedBy: ada.baseURL)
            #expect(again != userToken)
            #expect(try await ada.save("apple-music", ["userToken": again]).status == 200)
            #expect(try await ada.setup().step("appleMusic")?.state == "complete")

            for token in [userToken, again] {
                let wanted = Data(token.utf8)
                let files = try FileManager.default.subpathsOfDirectory(atPath: base.folder).filter {
                    FileManager.default.contents(atPath: "\(base.folder)/\($0)")?.range(of: wanted) != nil
                }
                #expect(files == [])
                #expect(!saved.text.contains(token))
                for process in base.started where process.name != "upstream-sim" {
                    #expect(!process.errors.contains(token) && !process.output.contains(token), "\(process.name)")
                }
            }
        }
    }
}
