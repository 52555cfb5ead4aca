import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Gateway

@Suite("The latest recommendations", .timeLimit(.minutes(5)))
struct RecommendationRouteTests {
    @Test("The answer has no content while there are none, even if they are being made")
    func noRecommendations() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let path = "/v1/ai/recommendations"
                let before = try await client.execute(uri: path, method: .get, headers: headers)
                #expect(before.status == .noContent && before.body.readableBytes == 0)
                let asked = try await client.execute(uri: path, method: .post, headers: headers)
                #expect(asked.status == .accepted)
                let queued = try await client.execute(uri: path, method: .get, headers: headers)
                #expect(queued.status == .noContent)
            }
        }
    }
}
