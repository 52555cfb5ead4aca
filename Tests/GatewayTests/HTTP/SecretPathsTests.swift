import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Telemetry
import TestSupport
import Testing

@testable import Gateway

@Suite("Secrets in paths")
struct SecretPathsTests {
    private static let paths = SecretPaths(["/p/", "/v1/calendar/"])

    @Test(
        "What follows a prefix is masked, also in paths that only resemble it",
        arguments: [
            ("/p/secret", "/p/…"), ("/p/secret/picture", "/p/…"), ("/P/secret", "/p/…"), ("//p//secret", "/p/…"),
            ("/%70/secret", "/p/…"), ("/p%2Fsecret", "/p/…"), ("/p\\secret", "/p/…"),
            ("/v1/calendar/secret.ics", "/v1/calendar/…"), ("/p", "/p"), ("/p/", "/p/"), ("/", "/"),
            ("/people/secret", "/people/secret"), ("/v1/p/secret", "/v1/p/secret"), ("/p%", "/p%"),
        ])
    func masks(path: String, masked: String) {
        #expect(Self.paths.masked(path) == masked)
    }

    @Test("The log of requests has no secret of a link, whatever the answer")
    func log() async throws {
        let recorder = LogRecorder()
        let secret = String(repeating: "S", count: 43)
        try await TestGateway.run { gateway in
            let application = Application(router: gateway.application.routes(), logger: recorder.logger)
            try await application.test(.router) { client in
                for (path, method) in [
                    ("/p/\(secret)", .get), ("/p/\(secret)", .post), ("/p/\(secret)/picture", .get),
                    ("/p/\(secret)/nothing", .get), ("//p/\(secret)", .get),
                    ("/v1/calendar/\(secret).ics", .get), ("/v1/calendar/\(secret).ics", .post),
                    ("/v1/calendar/\(secret)", .get), ("/v1/calendar/\(secret).ics/x", .head),
                ] as [(String, HTTPRequest.Method)] {
                    _ = try await client.execute(uri: path, method: method)
                }
            }
        }
        let lines = recorder.lines
        #expect(lines.filter { $0.message == "request" }.count == 9)
        for line in lines {
            #expect(!line.message.contains(secret) && !line.metadata.values.contains { $0.contains(secret) }, "\(line)")
        }
    }
}
