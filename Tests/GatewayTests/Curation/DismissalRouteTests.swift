import Curation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Identity
import Testing

@testable import Gateway

@Suite("Songs that people dismiss", .timeLimit(.minutes(5)))
struct DismissalRouteTests {
    @Test(
        "A song that neither the library nor a list has cannot be dismissed",
        arguments: [
            "0199a8f1-e4f8-7c11-b6bd-0a8d7a4c53a1", "spotify:7ouMYWpwJ422jRcDASZB7P", "appleMusic:1", "x", "%FF",
        ])
    func unknownSong(reference: String) async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let path = "/v1/ai/dismissals/\(reference)"
                let response = try await client.execute(uri: path, method: .put, headers: headers)
                #expect(try response.status == .notFound && response.problem.code == "notFound")
                let list = try await client.execute(uri: "/v1/ai/dismissals", method: .get, headers: headers)
                #expect(String(buffer: list.body) == #"{"items":[]}"#)
            }
        }
    }

    @Test("A song that has left the library since it was dismissed may be dismissed again")
    func songThatLeftTheLibrary() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada")
            let user = try #require(try await gateway.application.services.credentials.user(for: token))
            let gone = Dismissal(
                reference: "spotify:7ouMYWpwJ422jRcDASZB7P", song: IdentityRecord(title: "Gone", artist: "Ada"))
            try await gateway.database.write { transaction in
                let songs = try transaction.curation.recommendations(of: gone, userID: user.id)
                try transaction.curation.dismiss(gone, hiding: songs, userID: user.id, now: .now())
            }
            let headers: HTTPFields = [.authorization: "Bearer \(token.secret.reveal())"]
            try await gateway.withClient { client in
                let path = "/v1/ai/dismissals/\(gone.reference)"
                #expect(try await client.execute(uri: path, method: .put, headers: headers).status == .noContent)
                let list = try await client.execute(uri: "/v1/ai/dismissals", method: .get, headers: headers)
                #expect(String(buffer: list.body).contains(#""title":"Gone""#))
            }
        }
    }
}
