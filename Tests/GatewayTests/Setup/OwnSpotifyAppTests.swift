import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import Testing

@testable import Gateway

@Suite("The client id of a person's own Spotify app")
struct OwnSpotifyAppTests {
    @Test("It is saved without the spaces around it, shown only in its person's step, and removed")
    func savedClientID() async throws {
        try await TestGateway.run(publicURL: "https://backline.test") { gateway in
            let (ada, bob) = (try await gateway.authorization("ada"), try await gateway.authorization("bob"))
            try await gateway.withClient { client in
                func step(_ person: HTTPFields) async throws -> String {
                    String(buffer: try await client.execute(uri: "/v1/setup", method: .get, headers: person).body)
                }
                let saved = try await client.execute(
                    uri: "/v1/setup/spotify/app", method: .put, headers: ada,
                    body: ByteBuffer(string: #"{"clientId": " 0123abc \n"}"#))
                #expect(saved.status == .ok && String(buffer: saved.body).contains(#""clientId":"0123abc""#))
                #expect(try await step(ada).contains(#""app":{"clientId":"0123abc","installationApp":false"#))
                #expect(try await !step(bob).contains("0123abc"))
                for _ in 1...2 {
                    let removed = try await client.execute(
                        uri: "/v1/setup/spotify/app", method: .delete, headers: ada)
                    #expect(removed.status == .ok && !String(buffer: removed.body).contains("0123abc"))
                }
            }
        }
    }

    @Test(
        "Any other text is refused, and the field is named",
        arguments: [#"{"clientId": ""}"#, #"{"clientId": "two words"}"#, #"{"clientId": "<b>"}"#, #"{}"#])
    func refusedTexts(body: String) async throws {
        try await TestGateway.run { gateway in
            let ada = try await gateway.authorization("ada")
            try await gateway.withClient { client in
                let answer = try await client.execute(
                    uri: "/v1/setup/spotify/app", method: .put, headers: ada, body: ByteBuffer(string: body))
                #expect(answer.status == .unprocessableContent, "\(String(buffer: answer.body))")
            }
        }
    }
}
