import Foundation
import TestProcesses
import Testing

@Suite("Connecting with your own Spotify app", .timeLimit(.minutes(20)))
struct OwnAppTests {
    private static let own = "own-client-of-ada"

    /// The installation's app lists only somebody else; the other one lists the person who signs in.
    private static func clients(people: JSON = .array([.string("second-listener")]), ownerHasPremium: Bool = true)
        -> JSON
    {
        let addresses = JSON.array([.string("http://127.0.0.1/v1/setup/spotify/callback")])
        return .array([
            .object(["id": .string(Simulator.spotifyClientID), "redirectURIs": addresses, "people": people]),
            .object([
                "id": .string(own), "redirectURIs": addresses, "people": .array([.string("demo-listener")]),
                "ownerHasPremium": .bool(ownerHasPremium),
            ]),
        ])
    }

    private struct Window: Decodable {
        var admitted: Int
    }

    /// The requests of the Web API that an app has made.
    private func requests(of client: String, at spotify: SpotifyInstallation) async throws -> Int {
        let windows: [String: Window] = try await spotify.upstream.ask("window")
        return windows[client]?.admitted ?? 0
    }

    @Test(
        "A person for whom the installation's app has no slot connects with their own app, which their calls then use")
    func sixthPerson() async throws {
        try await SpotifyInstallation.run { spotify in
            try await spotify.upstream.configure(["clients": Self.clients()])
            let ada = try await spotify.base.addUser("ada")
            let refused = try await spotify.connect(ada).problem
            #expect(refused.status == 422 && refused.code == "accountNotAllowed")
            #expect(refused.detail.contains("your own Spotify app"))

            let saved = try await ada.save("spotify/app", ["clientId": " \(Self.own)\n"])
            #expect(saved.status == 200 && saved.text.contains("/v1/setup/spotify/callback"), "\(saved.text)")
            #expect(try await spotify.begin(ada).contains("client_id=\(Self.own)&"))
            let before = try await requests(of: Simulator.spotifyClientID, at: spotify)
            #expect(try await spotify.connect(ada).status == 200)
            try await spotify.syncsEnded(of: ada)
            #expect(try await spotify.connection().clientID == Self.own)
            // A refresh also names the app.
            try await spotify.expireAccessToken()
            #expect(try await spotify.profile(ada).state == "succeeded")
            #expect(try await spotify.refreshes() == 1)
            #expect(try await requests(of: Simulator.spotifyClientID, at: spotify) == before)
            #expect(try await requests(of: Self.own, at: spotify) > 0)

            // Without it, the connection belongs to an app that nobody has.
            #expect(try await ada.send(.DELETE, "/v1/setup/spotify/app").status == 200)
            let step = try #require(try await ada.setup().step("spotify"))
            #expect(step.state == "needsAttention" && step.reason == "clientChanged")
            // Entered again, it works as before.
            #expect(try await ada.save("spotify/app", ["clientId": Self.own]).status == 200)
            #expect(try await ada.setup().step("spotify")?.state == "complete")
            #expect(try await spotify.profile(ada).state == "succeeded")
        }
    }

    @Test("A connection with the installation's app continues until its person connects with their own app")
    func switchingToAnOwnApp() async throws {
        try await SpotifyInstallation.run { spotify in
            let ada = try await spotify.connectedUser()
            try await spotify.upstream.configure([
                "clients": Self.clients(people: .array([.string("demo-listener")]))
            ])
            #expect(try await ada.save("spotify/app", ["clientId": Self.own]).status == 200)
            #expect(try await ada.setup().step("spotify")?.state == "complete")
            try await spotify.expireAccessToken()
            #expect(try await spotify.profile(ada).state == "succeeded")
            #expect(try await spotify.connection().clientID == Simulator.spotifyClientID)
            #expect(try await spotify.connect(ada).status == 200)
            #expect(try await spotify.connection().clientID == Self.own)
            #expect(try await spotify.profile(ada).state == "succeeded")
            #expect(try await ada.setup().step("spotify")?.state == "complete")
        }
    }

    @Test("If the installation has no app, people with their own app can connect; a missing Premium is reported")
    func withoutInstallationApp() async throws {
        try await SpotifyInstallation.run(hasApp: false) { spotify in
            try await spotify.upstream.configure(["clients": Self.clients(ownerHasPremium: false)])
            let ada = try await spotify.base.addUser("ada")
            let step = try #require(try await ada.setup().step("spotify"))
            #expect(step.detail.contains("Enter the client id of your own"))
            let none = try await ada.post("/v1/setup/spotify/authorize", "{}")
            #expect(none.status == 503)
            #expect(try none.problem.code == "spotifyNotConfigured")

            #expect(try await ada.save("spotify/app", ["clientId": Self.own]).status == 200)
            let unpaid = try await spotify.connect(ada).problem
            #expect(unpaid.status == 422 && unpaid.code == "ownerPremiumMissing")
            #expect(unpaid.detail.contains("Premium"))
            try await spotify.upstream.configure(["clients": Self.clients()])
            #expect(try await spotify.connect(ada).status == 200)
            try await spotify.syncsEnded(of: ada)

            // Later the subscription ends.
            try await spotify.upstream.configure(["clients": Self.clients(ownerHasPremium: false)])
            #expect(try await spotify.profile(ada).state == "failed")
            let later = try #require(try await ada.setup().step("spotify"))
            #expect(later.reason == "ownerPremiumMissing" && later.detail.contains("your app"))
        }
    }
}
