import Foundation
import Model
import Spotify
import Testing
import Upstream

@testable import UpstreamSimulator

/// Calls of Backline's client to the simulated Spotify.
@Suite("The simulated Spotify's answers without a document")
struct SimulatedSpotifyAnswerTests {
    private struct Document: Decodable, Sendable {
        var id: String
    }

    /// Backline's client for a person who is connected.
    private static func client(of visitor: SpotifyVisitor) async throws -> SpotifyClient {
        let tokens = try await visitor.connect()
        return SpotifyClient(accessToken: Secret(tokens.access)) { request in
            let secrets = request.secretHeaders.map { "\($0.name): \($0.value.reveal())" }
            let answer = try await visitor.server.send(
                request.method.rawValue, "/spotify/v1" + request.path,
                headers: request.headers.map { "\($0.name): \($0.value)" } + secrets,
                body: String(decoding: request.body ?? [], as: UTF8.self))
            return UpstreamResponse(status: answer.status, headers: answer.headers, body: Array(answer.body))
        }
    }

    @Test("Another person's playlist and nothing playing are answers for callers that expect them, else errors")
    func expectedAnswers() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let client = try await Self.client(of: visitor)
            func read(_ fault: String, _ expected: SpotifyClient.Expectation) async throws
                -> SpotifyClient.Answer<Document>
            {
                try await visitor.order("faults", #"{"fault": "\#(fault)", "times": 1}"#)
                return try await client.read("/me", as: Document.self, expecting: expected)
            }
            guard case .forbidden(nil) = try await read("forbidden403", .forbidden),
                case .nothing = try await read("nothing204", .nothing),
                case .notFound("NO_ACTIVE_DEVICE") = try await read("noActiveDevice", .notFound),
                case .forbidden("PREMIUM_REQUIRED") = try await read("premiumRequired", .forbidden)
            else {
                Issue.record("another answer")
                return
            }
            await #expect(throws: SpotifyError.forbidden(reason: nil)) { _ = try await read("forbidden403", .notFound) }
            await #expect(throws: SpotifyError.accountNotAllowed) { _ = try await read("text403", .forbidden) }
            await #expect(throws: SpotifyError.invalidResponse(reason: "it is not JSON")) {
                _ = try await read("text200", [.nothing, .forbidden, .notFound])
            }
            // An unknown path is a 404 of the simulator itself.
            guard
                case .notFound(nil) = try await client.read(
                    "/playlists/37i9dQZF1DX0XUsuxWHRQd", as: Document.self, expecting: .notFound)
            else {
                Issue.record("a playlist")
                return
            }
        }
    }

    @Test("A command that is answered with text succeeds, and a refusal contains its reason")
    func answersToCommands() async throws {
        try await withSimulator { server in
            let visitor = SpotifyVisitor(server: server)
            let client = try await Self.client(of: visitor)
            func next(_ fault: String) async throws -> SpotifyClient.Answer<Void> {
                try await visitor.order("faults", #"{"fault": "\#(fault)", "times": 1}"#)
                return try await client.perform(.post, "/me/player/next", expecting: [.notFound, .forbidden])
            }
            guard case .value = try await next("text200"), case .value = try await next("nothing204"),
                case .notFound("NO_ACTIVE_DEVICE") = try await next("noActiveDevice"),
                case .forbidden("PREMIUM_REQUIRED") = try await next("premiumRequired")
            else {
                Issue.record("another answer")
                return
            }
            await #expect(throws: SpotifyError.accountNotAllowed) { _ = try await next("text403") }
        }
    }
}
