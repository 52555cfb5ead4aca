import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Gateway

@Suite("Addresses and tokens of the ListenBrainz API", .timeLimit(.minutes(5)))
struct ListenBrainzAccessTests {
    private typealias Fixture = ListenBrainzFixture

    @Test(
        "Every form of the address that programs build leads to the API",
        arguments: [
            "/1/submit-listens", "/1/submit-listens/", "//1/submit-listens", "/1/1/submit-listens",
            "/apis/listenbrainz/1/submit-listens", "/apis/listenbrainz/submit-listens",
            "/apis/listenbrainz//1/1/submit-listens/",
        ])
    func formsOfTheAddress(path: String) async throws {
        try await Fixture.run { fixture, _ in
            let body = Fixture.body("single", Fixture.listen(1_635_000_000))
            #expect(try await fixture.send(.post, path, body).text == #"{"status":"ok"}"#)
            let options = try await fixture.send(.options, path, isAnonymous: true)
            #expect(options.status == 200 && options.headers[.accessControlAllowMethods] == "POST, OPTIONS")
            #expect(options.headers[.accessControlMaxAge] == "21600")
        }
    }

    @Test("Tokens are recognized in each form, and are refused everywhere else")
    func formsOfTokens() async throws {
        try await Fixture.run { fixture, _ in
            #expect(UUID(uuidString: fixture.token) != nil)
            for scheme in ["Token", "token", "Bearer"] {
                let answer = try await fixture.send(
                    .get, "/1/validate-token", authorization: "\(scheme) \(fixture.token)")
                #expect(
                    try answer.json["valid"] as? Bool == true && answer.json["user_name"] as? String == fixture.name)
            }
            let inQuery = try await fixture.send(.get, "/1/validate-token?token=\(fixture.token)", isAnonymous: true)
            #expect(try inQuery.json["message"] as? String == "Token valid.")
            let wrong = try await fixture.send(.get, "/1/validate-token?token=x", isAnonymous: true)
            #expect(wrong.status == 200)
            #expect(wrong.text == #"{"code":200,"message":"Token invalid.","valid":false}"#)
            let none = try await fixture.send(.get, "/1/validate-token", isAnonymous: true)
            #expect(none.status == 400 && none.error == "You need to provide an Authorization token.")
            for (header, text) in [
                (nil, "You need to provide an Authorization header."),
                ("nonsense", "Provided Authorization header is invalid."), ("Token x", "Invalid authorization token."),
            ] {
                let answer = try await fixture.send(
                    .post, "/1/submit-listens", "{}", authorization: header, isAnonymous: header == nil)
                #expect(answer.status == 401 && answer.error == text)
            }
            let elsewhere = try await fixture.send(.get, "/v1/me", authorization: "Bearer \(fixture.token)")
            #expect(elsewhere.status == 403 && elsewhere.text.contains(#""code":"tokenScope""#))
            let session = try await fixture.client.execute(
                uri: "/v1/session", method: .post, headers: [.contentType: "application/json"],
                body: ByteBuffer(string: #"{"token":"\#(fixture.token)"}"#))
            #expect(session.status == .unauthorized)
            let listed = try await fixture.client.execute(uri: "/v1/me/tokens", method: .get, headers: fixture.person)
            #expect(String(buffer: listed.body).contains(#""scope":"listening""#))
        }
    }

    @Test("A program that knows its person by a former name goes on, and is answered with that name")
    func formerName() async throws {
        try await Fixture.run { fixture, gateway in
            for (path, member) in [
                ("/1/user/ada/listens", "user_id"), ("/1/user/ada/playing-now", "user_id"),
            ] {
                let answer = try await fixture.send(.get, path)
                #expect(try answer.payload[member] as? String == "ada")
            }
            let renamed = try await fixture.client.execute(
                uri: "/v1/me", method: .patch, headers: fixture.person,
                body: ByteBuffer(string: #"{"username":"lovelace"}"#))
            #expect(renamed.status == .ok)
            for name in ["ada", "lovelace", "Lovelace"] {
                let answer = try await fixture.send(.get, "/1/user/\(name)/listens")
                #expect(answer.status == 200, "\(name)")
                #expect(try answer.payload["user_id"] as? String == (name == "ada" ? "ada" : "lovelace"))
                let latest = try await fixture.send(.get, "/1/latest-import?user_name=\(name)")
                #expect(latest.status == 200, "\(name)")
            }
            // A name from before the rule of usernames is known for good.
            try await gateway.database.write {
                try $0.run("UPDATE users SET listening_name = 'Ada Ł.' WHERE name = 'lovelace'")
                try $0.run("DELETE FROM former_names")
            }
            for name in ["Ada%20%C5%81.", "ada%20%C5%82."] {
                let old = try await fixture.send(.get, "/1/user/\(name)/listen-count")
                #expect(old.status == 200, "\(name)")
            }
            let gone = try await fixture.send(.get, "/1/user/ada/listens")
            #expect(gone.status == 404 && gone.error == "Cannot find user: ada")
        }
    }

    @Test("Other people's names, unknown addresses and wrong methods are refused in JSON")
    func unknownNamesAndAddresses() async throws {
        try await Fixture.run { fixture, gateway in
            _ = try await gateway.authorization("bob")
            let other = try await fixture.send(.get, "/1/user/bob/listens")
            #expect(other.status == 404 && other.error == "Cannot find user: bob")
            for path in ["/1/nothing", "/1", "/1/user/\(fixture.name)/nothing", "/apis/listenbrainz/1/x"] {
                let answer = try await fixture.send(.get, path)
                #expect(try answer.status == 404 && answer.json["code"] as? Int == 404, "\(path)")
            }
            let method = try await fixture.send(.get, "/1/submit-listens")
            #expect(try method.status == 405 && method.json["code"] as? Int == 405)
            let rate = try #require(HTTPField.Name("X-RateLimit-Reset-In"))
            #expect(method.headers[rate].flatMap { Int($0) } != nil)
        }
    }
}
