import Connections
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Jobs
import Model
import TestSupport
import Testing

@testable import ConnectionsHTTP
@testable import Gateway

@Suite("Signing in with Apple")
struct AppleMusicSignInRouteTests {
    private static let signIn = AppleMusicSignIn(
        scriptURL: "https://cdn.test/musickit/v3/musickit.js", origins: ["https://authorize.test", "https://api.test"])

    @Test("Only the page of the step may run Apple's script, open its window and call its hosts")
    func contentSecurityPolicy() async throws {
        let sample = try SamplePages()
        let pages = try WebFolder(path: sample.path)
        try await TestGateway.run(appleMusic: Self.signIn, pages: pages) { gateway in
            let paths = gateway.application.domains.flatMap(\.pages).map(\.path).filter { !$0.contains(":") }
            #expect(paths.contains("/setup/apple-music"))
            try await gateway.withClient { client in
                for path in paths + ["/nowhere"] {
                    let headers = try await client.execute(
                        uri: path, method: .get, headers: [.accept: "text/html"]
                    ).headers
                    let policy = try #require(headers[.contentSecurityPolicy]).split(separator: ";").map {
                        $0.drop { $0 == " " }
                    }
                    let isStep = path == "/setup/apple-music"
                    #expect(policy.contains("script-src 'self' https://cdn.test") == isStep, "\(path)")
                    let hosts = "https://authorize.test https://api.test"
                    #expect(policy.contains("connect-src 'self' \(hosts)") == isStep, "\(path)")
                    #expect(policy.contains("frame-src \(hosts)") == isStep, "\(path)")
                    #expect(policy.contains { $0.contains(".test") } == isStep, "\(path)")
                    #expect(
                        headers[.crossOriginOpenerPolicy] == (isStep ? "same-origin-allow-popups" : "same-origin"))
                    #expect(headers[.referrerPolicy] == (isStep ? "strict-origin" : "no-referrer"))
                }
            }
        }
        // Without a developer key the page is like all others.
        try await TestGateway.run(pages: pages) { gateway in
            try await gateway.withClient { client in
                let headers = try await client.execute(uri: "/setup/apple-music", method: .get).headers
                #expect(headers[.contentSecurityPolicy]?.contains("script-src 'self';") == true)
                #expect(headers[.referrerPolicy] == "no-referrer")
            }
        }
    }

    @Test("Without a developer key, and without a worker, nobody can sign in")
    func missingKeyOrWorker() async throws {
        try await TestGateway.run { gateway in
            let ada = try await gateway.authorization("ada")
            try await gateway.withClient { client in
                let answer = try await client.execute(
                    uri: "/v1/setup/apple-music/sign-in", method: .post, headers: ada)
                #expect(answer.status == .serviceUnavailable)
                #expect(String(buffer: answer.body).contains(#""code":"appleMusicNotConfigured""#))
            }
        }
    }

    @Test("A worker signs the token for the address of this site, whatever another site asks for")
    func originOfTheToken() async throws {
        try await withDatabase { database, _ in
            let userID = try await database.addPerson()
            let asked = Collector<String>()
            let handler = JobHandler(.setupAppleMusicPageToken) { payload, context in
                asked.append("\(context.job.userID == userID) \(payload.origin)")
                if asked.elements.count == 1 { return JobResult(AppleMusicPageTokenResult(detail: "no key")) }
                return JobResult(AppleMusicPageTokenResult(token: "signed", expiresAt: 1_700_000_000))
            }
            try await WorkerEnd.run(database: database, handlers: [handler]) { worker in
                let routes = AppleMusicRoutes(
                    queue: worker.queue, signIn: Self.signIn, site: SiteAddress(publicURL: "https://backline.test"),
                    origin: SiteOrigin(publicURL: "https://backline.test"))
                func begin(_ origin: String?) async throws -> String {
                    var headers = HTTPFields()
                    headers[.origin] = origin
                    let request = Request(.post, headers: headers)
                    return try await routes.token(for: request, userID: userID).token
                }
                let problem = await #expect(throws: Problem.self) { _ = try await begin("https://backline.test") }
                #expect(problem?.code == .appleMusicNotConfigured && problem?.detail == "no key")
                for origin in ["https://backline.test", "HTTPS://Backline.test", "https://evil.test", nil] {
                    #expect(try await begin(origin) == "signed")
                }
                #expect(asked.elements == Array(repeating: "true https://backline.test", count: 5))
                // The job is not in the person's list.
                let jobs = try await database.read {
                    try $0.row("SELECT COUNT(*) AS n FROM jobs WHERE is_ephemeral = 0")
                }
                #expect(try jobs?["n"] == 0)
            }
        }
    }
}
