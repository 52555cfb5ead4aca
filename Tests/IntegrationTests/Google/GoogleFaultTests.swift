import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("Signing in with Google during faults", .timeLimit(.minutes(20)))
struct GoogleFaultTests {
    private static let discovery = "openid-configuration"
    private static let exchange = "POST /google/token"

    @Test("Without a worker, apps and browsers learn when to retry, and no rows are left")
    func noWorker() async throws {
        try await GoogleInstallation.run(workers: 0) { google in
            async let app = google.send(google.simulator.mintIDToken())
            async let program = google.base.visitor.get(GoogleInstallation.startPath)
            async let browser = google.browser().open(GoogleInstallation.startPath + "?returnTo=/library")
            for response in try await [app, program] {
                #expect(try response.status == 503 && response.problem.code == "noVerdict")
                #expect(response.header("Retry-After") == "5")
            }
            #expect(try await browser.location == "/sign-in?code=noVerdict&next=%2Flibrary")
            #expect(try await google.openCount() == 0)
            // Jobs that waited for a worker are cancelled and do not sign anybody in later.
            _ = try await google.base.startWorker(.sync)
            _ = try await google.begin(google.browser())
            #expect(try await google.userCount() == 0)
        }
    }

    @Test("A failure at Google is answered with the time to retry, and passes without an operator")
    func upstreamTrouble() async throws {
        try await GoogleInstallation.run { google in
            func trouble(_ response: APIResponse) throws -> String {
                #expect(response.status == 503 && response.header("Retry-After") != nil)
                return try response.problem.code
            }
            let start = GoogleInstallation.startPath
            try await google.upstream.injectFault("status502", endpoint: Self.discovery, times: 2)
            #expect(try await trouble(google.base.visitor.get(start)) == "upstreamError")
            let browser = google.browser()
            let back = try await google.decide(at: google.begin(browser))
            try await google.upstream.injectFault("status502", endpoint: Self.exchange, times: 1)
            #expect(try await browser.open(back.target).location == "/sign-in?code=upstreamError")
            #expect(try await google.openCount() == 0)
            // The failed attempt has ended. The next one is new.
            #expect(try await google.signIn(browser).location == "/feed")
            // The worker has cached the keys. A new worker without them reports the failure.
            await google.base.running("sync-worker").first?.destroy()
            _ = try await google.base.startWorker(.sync)
            try await google.upstream.injectFault("status502", endpoint: "certs", times: 2)
            let idToken = try await google.simulator.mintIDToken()
            #expect(try await trouble(google.send(idToken)) == "upstreamError")
        }
    }

    @Test("A pause that Google requests applies to every sign-in, with its time in the answer")
    func rateLimited() async throws {
        try await GoogleInstallation.run { google in
            let browser = google.browser()
            let back = try await google.decide(at: google.begin(browser))
            try await google.upstream.injectFault("limit429", times: 1, extra: ["retryAfter": 3_600])
            #expect(try await browser.open(back.target).location == "/sign-in?code=rateLimited")
            let response = try await google.send(google.simulator.mintIDToken())
            #expect(try response.problem.code == "rateLimited")
            #expect(Int(response.header("Retry-After") ?? "").map { (3_000...3_600).contains($0) } == true)
            let (calls, idToken) = (try await google.upstream.calls(), try await google.simulator.mintIDToken())
            // These failures do not count as wrong guesses.
            for _ in 0..<40 { #expect(try await google.send(idToken).status == 503) }
            #expect(try await google.upstream.calls() == calls)
        }
    }

    @Test("A wrong client secret has a code for the operator, and its file is read again each time")
    func wrongClientSecret() async throws {
        try await GoogleInstallation.run { google in
            let file = google.base.folder + "/google-client-secret"
            let browser = google.browser()
            try Data("wrong".utf8).write(to: URL(filePath: file))
            #expect(try await google.signIn(browser).location == "/sign-in?code=clientRefused")
            try FileManager.default.removeItem(atPath: file)
            #expect(try await google.signIn(browser).location == "/sign-in?code=clientSecretUnreadable")
            let worker = try #require(google.base.running("sync-worker").first)
            try await worker.waitForLog("google.clientSecretFile cannot be used")
            try Data("\(Simulator.googleClientSecret)\n".utf8).write(to: URL(filePath: file))
            #expect(try await google.signIn(browser).location == "/feed")
        }
    }

    @Test("A sign-in succeeds although the gateway restarts between the redirect and the callback")
    func gatewayRestart() async throws {
        try await GoogleInstallation.run { google in
            let browser = google.browser()
            let back = try await google.decide(at: google.begin(browser, returnTo: "/library"))
            await google.base.running("api-gateway").first?.destroy()
            try await google.base.startGateway()
            try await google.base.connected(workers: 1)
            #expect(try await browser.open(back.target).location == "/library")
            #expect(try await browser.client.get("/v1/me").status == 200)
        }
    }

    @Test("A worker that dies between the exchange and the commit signs nobody in; the next attempt does")
    func workerKilled() async throws {
        try await GoogleInstallation.run { google in
            let browser = google.browser()
            let back = try await google.decide(at: google.begin(browser))
            // The worker fetches the keys after the exchange.
            try await google.upstream.injectFault("slow", endpoint: "certs", times: 1, extra: ["ms": 60_000])
            let target = back.target
            let cookies = browser.cookies
            async let location = {
                let window = google.browser()
                window.cookies = cookies
                return try await window.open(target).location
            }()
            try await eventually("the exchange") { try await google.upstream.calls(Simulator.googleKeys) == 1 }
            #expect(try await google.upstream.calls(Self.exchange) == 1)
            await google.base.running("sync-worker").first?.destroy()
            _ = try await google.base.startWorker(.sync)
            // The gateway stops waiting after a quarter of a minute, in which a busy machine may not start a worker.
            let code = try await location?.split(separator: "=").last
            #expect(code == "codeRefused" || code == "noVerdict", "\(code ?? "")")
            #expect(try await google.isUntouched())
            #expect(try await google.signIn(browser).location == "/feed")
            #expect(try await google.userCount() == 1)
        }
    }

    @Test("A gateway that dies while it waits leaves no session and no usable state")
    func gatewayKilled() async throws {
        try await GoogleInstallation.run { google in
            let browser = google.browser()
            let back = try await google.decide(at: google.begin(browser))
            try await google.upstream.injectFault("hold", endpoint: Self.exchange, times: 1)
            let (target, cookies) = (back.target, browser.cookies)
            let waiting = Task {
                let window = google.browser()
                window.cookies = cookies
                return try await window.open(target).location
            }
            try await eventually("the exchange") { try await google.upstream.calls(Self.exchange) == 1 }
            await google.base.running("api-gateway").first?.destroy()
            try await google.upstream.order("faults/release")
            await #expect(throws: (any Error).self) { try await waiting.value }
            try await eventually("the worker to finish the sign-in") { try await google.userCount() == 1 }
            try await google.base.startGateway()
            #expect(try await browser.open(target).location == "/sign-in?code=stateUnknown")
            #expect(try await google.count("SELECT COUNT(*) AS count FROM sessions") == 0)
        }
    }
}
