import Foundation
import Connections
import Model
import TestProcesses
import TestSupport
import Testing

@Suite("Connecting Spotify", .timeLimit(.minutes(20)))
struct SpotifyConnectTests {
    /// The scopes that everybody is asked for, in the form of a request.
    private static let neededScopes =
        "playlist-modify-private playlist-modify-public playlist-read-collaborative playlist-read-private "
        + "user-library-modify user-library-read user-read-private user-read-recently-played user-top-read"

    @Test("A browser is sent to Spotify, and returns connected, once")
    func browserConnects() async throws {
        try await SpotifyInstallation.run { spotify in
            _ = try await spotify.base.addUser("ada")
            let ada = try await spotify.browser(of: "ada")
            let url = try await spotify.begin(ada, #"{"returnTo":"/setup/spotify?from=card"}"#)
            #expect(try await spotify.connection().state == "authorizing")
            let parameters = URLComponents(string: url)?.queryItems ?? []
            func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
            #expect(value("redirect_uri") == ada.baseURL + "/v1/setup/spotify/callback")
            #expect(value("code_challenge")?.count == 43 && value("code_challenge_method") == "S256")
            #expect(value("scope") == Self.neededScopes)
            let back = try await spotify.upstream.decide("allow", at: url)
            #expect(try await spotify.follow(back.target, as: ada) == "/setup/spotify?from=card&outcome=connected")
            // A worker asks for the name during the exchange, and later when the answer takes more than four seconds.
            let record =
                try await eventually("the account's name") {
                    let record = try await spotify.connection()
                    return record.accountName == nil ? nil : record
                } as ConnectionRecord
            #expect(record.state == "connected" && record.accountName == "Dana Novák")
            #expect(record.scopes == Self.neededScopes && record.accountID != nil)
            let consent = try #require(record.authorizedAt).duration(to: try #require(record.renewBy))
            #expect((179...180).contains(consent.components.seconds / 86_400))
            // These are the same callback again, and an invented one.
            let unknown = "/setup/spotify?outcome=failed&code=stateUnknown"
            #expect(try await spotify.follow(back.target, as: ada) == unknown)
            #expect(try await spotify.follow("/v1/setup/spotify/callback?code=x&state=y", as: ada) == unknown)
            #expect(try await spotify.upstream.calls(SimulatedUpstream.spotifyExchange) == 1)
        }
    }

    @Test("Refusing consent returns to the page without an error, and changes nothing")
    func refusedConsent() async throws {
        try await SpotifyInstallation.run { spotify in
            _ = try await spotify.base.addUser("ada")
            let ada = try await spotify.browser(of: "ada")
            let back = try await spotify.upstream.decide("cancel", at: spotify.begin(ada))
            #expect(try await spotify.follow(back.target, as: ada) == "/setup/spotify?outcome=cancelled")
            #expect(try await spotify.connection().state == "disconnected")
        }
    }

    @Test("A state is valid only for the session or token that started the attempt")
    func stateOfAnotherSession() async throws {
        try await SpotifyInstallation.run { spotify in
            let app = try await spotify.base.addUser("ada")
            let stranger = try await spotify.base.addUser("bob")
            let (ada, otherBrowser) = (try await spotify.browser(of: "ada"), try await spotify.browser(of: "ada"))
            let bob = try await spotify.browser(of: "bob")
            let back = try await spotify.upstream.decide("allow", at: spotify.begin(ada))
            for client in [otherBrowser, bob] {
                let location = try await spotify.follow(back.target, as: client)
                #expect(location == "/setup/spotify?outcome=failed&code=stateUnknown")
            }
            for client in [app, stranger] {
                let problem = try await spotify.finish(client, back.parameters).problem
                #expect(problem.status == 422 && problem.code == "stateUnknown")
            }
            // The refused attempts have not used up the state.
            #expect(try await spotify.follow(back.target, as: ada) == "/setup/spotify?outcome=connected")

            let appBack = try await spotify.upstream.decide("allow", at: spotify.begin(app))
            #expect(try await spotify.finish(stranger, appBack.parameters).status == 422)
            #expect(try await spotify.follow(appBack.target, as: ada).contains("stateUnknown"))
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { try await spotify.finish(app, appBack.parameters).status } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(answers.sorted() == [200, 422, 422, 422])
        }
    }

    @Test("An app connects with its token, requests a further scope by name, and disconnects")
    func appConnects() async throws {
        try await SpotifyInstallation.run { spotify in
            let ada = try await spotify.connectedUser()
            #expect(try await spotify.profile(ada).result?["account"] == .string("Dana Novák"))
            let more = try await spotify.connect(ada, #"{"scopes":["user-follow-read"]}"#)
            #expect(more.status == 200, "\(more.text)")
            let granted = try await spotify.connection().scopes?.split(separator: " ") ?? []
            #expect(Set(granted) == Set((Self.neededScopes + " user-follow-read").split(separator: " ")))
            let unknown = try await ada.post("/v1/setup/spotify/authorize", #"{"scopes":["everything"]}"#)
            #expect(try unknown.problem.field == "$.scopes[0]")

            struct Answer: Decodable { var revokeURL: String }
            let gone = try await ada.send(.DELETE, "/v1/setup/spotify")
            #expect(try gone.decode(Answer.self).revokeURL == "https://www.spotify.com/account/apps/")
            let record = try await spotify.connection()
            #expect(record.state == "disconnected" && record.accountName == nil && record.scopes == nil)
            #expect(try await spotify.secretCount() == 0)
        }
    }

    @Test("A missing scope is named by the step and requested again, and a job that needs it waits")
    func missingScope() async throws {
        try await SpotifyInstallation.run { spotify in
            try await spotify.upstream.configure(["withheldScopes": .array([.string("user-read-private")])])
            let ada = try await spotify.connectedUser()
            var step = try #require(try await ada.setup().step("spotify"))
            #expect(step.state == "complete" && step.reason == "scopeMissing" && step.recovery == "askScope")
            let scope = try #require(step.scope)
            #expect(scope == "user-read-private")

            let job = try await ada.submit(SpotifyInstallation.profileJob)
            try await ada.job(job.id, reaches: "scheduled")
            let waiting = try await ada.get("/v1/jobs/\(job.id)").decode(JSON.self)
            #expect(waiting["waitsFor"]?["provider"] == .string("spotify") && waiting["attempt"] == .integer(0))
            #expect(waiting["waitsFor"]?["recovery"] == .string("askScope"))
            #expect(waiting["waitsFor"]?["scopes"] == .array([.string(scope)]))
            step = try #require(try await ada.setup().step("spotify"))
            #expect(step.missingScopes == [scope] && step.detail.hasSuffix("Some of your jobs are waiting for this."))

            try await spotify.upstream.configure(["withheldScopes": .array([])])
            #expect(try await spotify.connect(ada, #"{"scopes":["\#(scope)"]}"#).status == 200)
            step = try #require(try await ada.setup().step("spotify"))
            #expect(step.state == "complete" && step.reason == nil && step.scope == nil)
            // The consent made the job due.
            #expect(try await ada.ended(job.id).state == "succeeded")
        }
    }

    @Test("A failed exchange of the code is answered with what to do, and leaves no rows")
    func failedExchange() async throws {
        try await SpotifyInstallation.run { spotify in
            let ada = try await spotify.base.addUser("ada")
            try await spotify.upstream.configure(["codeSeconds": .integer(0)])
            var problem = try await spotify.connect(ada).problem
            #expect(problem.status == 422 && problem.code == "codeRefused")
            try await spotify.upstream.configure(["codeSeconds": .integer(600)])
            try await spotify.upstream.injectFault("status502", endpoint: "authorization_code", times: 1)
            let unreachable = try await spotify.connect(ada)
            problem = try unreachable.problem
            #expect(problem.status == 503 && problem.code == "serverError" && unreachable.header("Retry-After") != nil)
            // An account that is not registered for the app can consent, and is refused afterwards.
            try await spotify.upstream.configure(["unlisted": .array([.string("demo-listener")])])
            problem = try await spotify.connect(ada).problem
            #expect(problem.status == 422 && problem.code == "accountNotAllowed")
            #expect(try await spotify.connection().state == "disconnected")
            #expect(try await spotify.secretCount() == 0)
        }
    }

    @Test("With another client id people have to connect again; with the former one the connection works as before")
    func anotherClient() async throws {
        try await SpotifyInstallation.run { spotify in
            let ada = try await spotify.connectedUser()
            try await spotify.change { $0.clientID = "former-client" }
            var step = try #require(try await ada.setup().step("spotify"))
            #expect(step.state == "needsAttention" && step.reason == "clientChanged" && step.recovery == "reconnect")
            let waiting = try await ada.submit(SpotifyInstallation.profileJob)
            try await ada.job(waiting.id, reaches: "scheduled")
            #expect(try await spotify.secretCount() == 2)
            try await spotify.change { $0.clientID = "demo-spotify-client" }
            #expect(try await spotify.profile(ada).state == "succeeded")
            try await spotify.change { $0.clientID = "former-client" }
            #expect(try await spotify.connect(ada).status == 200)
            step = try #require(try await ada.setup().step("spotify"))
            #expect(step.state == "complete" && step.reason == nil)
            #expect(try await ada.ended(waiting.id).state == "succeeded")
        }
    }

    @Test("No secret of a connection is in the database, its log, the processes' logs or the jobs")
    func secretsAreNowhere() async throws {
        try await SpotifyInstallation.run { spotify in
            let ada = try await spotify.connectedUser()
            try await spotify.expireAccessToken()
            _ = try await spotify.profile(ada)
            let secrets = try await spotify.upstream.spotifySecrets()
            let all = secrets.codes + secrets.accessTokens + secrets.refreshTokens
            #expect(all.count >= 4)
            let jobs = try await ada.get("/v1/jobs").text
            var files: [String] = []
            for suffix in ["", "-wal"] {
                let data = try Data(contentsOf: URL(fileURLWithPath: spotify.base.databasePath + suffix))
                files.append(String(decoding: data, as: UTF8.self))
            }
            for secret in all {
                #expect(!jobs.contains(secret) && !files.contains { $0.contains(secret) })
                for process in spotify.base.started where process.name != "upstream-sim" {
                    #expect(!process.errors.contains(secret), "\(process.name)")
                }
            }
        }
    }
}
