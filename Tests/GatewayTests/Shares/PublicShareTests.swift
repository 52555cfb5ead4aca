import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Model
import Pictures
import Storage
import Synchronization
import TestSupport
import Testing
import Visibility

@testable import Gateway
@testable import SharesHTTP

/// A clock that a test sets.
private final class SetClock: Sendable {
    let seconds = Atomic(1_000)

    var now: MonotonicInstant { MonotonicInstant(microseconds: Int64(seconds.load(ordering: .relaxed)) * 1_000_000) }
}

@Suite("Links to shares, without an account")
struct PublicShareTests {
    /// Makes a link, and returns its path.
    private static func link(
        to id: String, as name: String, _ people: PeopleFixture, options body: String = "{}"
    ) async throws -> (path: String, id: String) {
        let response = try await people.send(.post, "/v1/shares/\(id)/links", as: name, body: body)
        #expect(response.status == .created)
        let link = try response.jsonObject
        let url = try #require(link["url"] as? String)
        let path = try #require(url.firstRange(of: PublicShareRoutes.prefix)).lowerBound
        return (String(url[path...]), try #require(link["id"] as? String))
    }

    private static func open(_ path: String, _ people: PeopleFixture) async throws -> TestResponse {
        try await people.client.execute(uri: path, method: .get)
    }

    @Test("A link shows what is stored, as text, and the name only where that is wanted")
    func page() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            let track = try await people.saveTrack("<b>Eple</b> & \"more\"", of: "ada")
            let made = try await people.put(
                1, #"{"song":{"libraryTrackId":"\#(track)"},"message":"see https://example.org <script>1</script>"}"#,
                as: "ada")
            let id = try #require(try made.jsonObject["id"] as? String)
            let (path, _) = try await Self.link(to: id, as: "ada", people)
            let answer = try await Self.open(path, people)
            #expect(answer.status == .ok)
            let page = String(buffer: answer.body)
            #expect(page.contains("&lt;b&gt;Eple&lt;/b&gt; &amp; &quot;more&quot;") && page.contains("Röyksopp"))
            #expect(page.contains("see https://example.org &lt;script&gt;") && !page.contains("<script"))
            #expect(!page.contains("href=\"https://example.org") && !page.contains("ada"))
            #expect(page.contains("https://open.spotify.com/track/\(PeopleFixture.spotifyID)"))
            #expect(answer.headers[.referrerPolicy] == "no-referrer" && answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.robotsTag]?.contains("noindex") == true && page.contains("noindex"))
            let policy = try #require(answer.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'") && !policy.contains("script-src"))
            let (named, _) = try await Self.link(
                to: id, as: "ada", people, options: #"{"showsName":true,"expiresInDays":1}"#)
            let withName = String(buffer: try await Self.open(named, people).body)
            #expect(withName.contains("<bdi>ada</bdi> shared a song"))
        }
    }

    @Test("Links that have ended, were revoked, or never were look alike")
    func ends() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            let id = try await people.share(1, as: "ada")
            let (revoked, linkID) = try await Self.link(to: id, as: "ada", people)
            let (ended, _) = try await Self.link(to: id, as: "ada", people)
            #expect(
                try await people.send(.delete, "/v1/shares/\(id)/links/\(linkID)", as: "bea").status == .notFound)
            for _ in 0..<2 {
                #expect(
                    try await people.send(.delete, "/v1/shares/\(id)/links/\(linkID)", as: "ada").status == .noContent)
            }
            try await people.gateway.database.write { transaction in
                try transaction.run("UPDATE share_links SET expires_at = \(Timestamp.now())")
            }
            #expect(try await people.items("/v1/shares/\(id)/links", as: "ada").isEmpty)
            let closed = try await people.share(2, "Poor Leno", as: "bea")
            let (ofClosed, _) = try await Self.link(to: closed, as: "bea", people)
            #expect(try await Self.open(ofClosed, people).status == .ok)
            try await people.setVisibility(.private, of: "bea")
            var answers: Set<String> = []
            let never = "/p/" + String(repeating: "A", count: 43)
            for path in [revoked, ended, ofClosed, never, "/p/x", "/p/%00", never + "/picture"] {
                let answer = try await Self.open(path, people)
                #expect(answer.status == .notFound, "\(path)")
                answers.insert(String(buffer: answer.body))
            }
            #expect(answers.count == 1)
        }
    }

    @Test("A picture is shown if it was fetched for somebody with an account, and is not fetched for a link")
    func pictures() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            let userID = try people.id(of: "ada")
            try await people.gateway.database.connectSpotify(userID: userID, scopes: "")
            try await people.storeTrack("Eple")
            let body = #"{"song":{"source":"spotify","sourceId":"\#(PeopleFixture.spotifyID)"}}"#
            let id = try #require(try await people.put(1, body, as: "ada").jsonObject["id"] as? String)
            let (path, _) = try await Self.link(to: id, as: "ada", people)
            let without = String(buffer: try await Self.open(path, people).body)
            #expect(!without.contains("<img"))
            #expect(try await Self.open(path + "/picture", people).status == .notFound)
            let jobs = try await people.gateway.count("SELECT 1 FROM jobs")
            let picture = try CheckedPicture(SamplePNG.gradient(width: 4, height: 4).bytes)
            try await people.gateway.pictures.store(
                picture, as: PictureKey(address: "https://i.scdn.co/image/track", acceptsWebP: false))
            let page = String(buffer: try await Self.open(path, people).body)
            #expect(page.contains("<img") && page.contains("\(path)/picture") && !page.contains("scdn.co"))
            let shown = try await Self.open(path + "/picture", people)
            #expect(shown.status == .ok && shown.headers[.contentType] == "image/png")
            #expect(try await people.gateway.count("SELECT 1 FROM jobs") == jobs, "nothing asks an upstream")
        }
    }

    @Test("An address opens thirty links at once, whatever they are, and more come back over a minute")
    func limit() async throws {
        let clock = SetClock()
        try await TestGateway.run { gateway in
            let application = Application(router: gateway.application.routes(now: { clock.now }))
            try await application.test(.live) { client in
                func open() async throws -> HTTPResponse.Status {
                    try await client.execute(uri: "/p/" + String(repeating: "A", count: 43), method: .get).status
                }
                for _ in 0..<30 { #expect(try await open() == .notFound) }
                let refused = try await client.execute(uri: "/p/x", method: .get)
                #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "2")
                #expect(refused.headers[.robotsTag] != nil)
                clock.seconds.add(2, ordering: .relaxed)
                #expect(try await open() == .notFound)
                #expect(try await open() == .tooManyRequests)
            }
        }
    }

    @Test("What is wrong with a request for a link is said with its field")
    func badInput() async throws {
        try await PeopleFixture.run(["ada"]) { people in
            let id = try await people.share(as: "ada")
            for body in [#"{"expiresInDays":0}"#, #"{"expiresInDays":91}"#, #"{"showsName":1}"#, #"{"days":1}"#] {
                let response = try await people.send(.post, "/v1/shares/\(id)/links", as: "ada", body: body)
                #expect(response.status == .unprocessableContent, "\(body)")
            }
            try await people.setVisibility(.private, of: "ada")
            let refused = try await people.send(.post, "/v1/shares/\(id)/links", as: "ada", body: "{}")
            #expect(refused.status == .conflict)
            #expect(try refused.problem.code == "profileIsPrivate")
        }
    }
}
