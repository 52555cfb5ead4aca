import DomainEvents
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LibraryWriting
import Model
import NIOCore
import Storage
import Testing

@testable import Gateway
@testable import LibraryHTTP

@Suite("Routes of syncs", .timeLimit(.minutes(5)))
struct LibrarySyncRouteTests {
    @Test("A sync is accepted once, and another request for it joins it")
    func joinedSync() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let library = LibraryClient(client: client, headers: headers)
                let before = try await library.get("syncs/latest")
                #expect(before.status == .noContent && before.body.readableBytes == 0)

                let first = try await library.post("syncs")
                #expect(first.status == .accepted)
                let accepted = try first.object
                let id = try #require(accepted["id"] as? String)
                #expect(accepted["state"] as? String == "queued")
                let latest = try await library.object("syncs/latest")
                #expect(latest["id"] as? String == id && latest["state"] as? String == "queued")
                #expect(latest["finishedAt"] is NSNull && latest["merged"] as? Int == 0)
                #expect(latest["sources"] is [Any])
                let job = try await client.execute(uri: "/v1/jobs/\(id)", method: .get, headers: headers)
                #expect(try job.object["kind"] as? String == "library.sync")

                let second = try await library.post("syncs", "{}").object
                #expect(second["id"] as? String == id)
                let forced = try await library.post("syncs", #"{"force":true}"#).object
                #expect(forced["id"] as? String != id)
                let other = try await library.object("syncs/latest")
                #expect(other["id"] as? String == forced["id"] as? String)
            }
        }
    }

    @Test("Nobody sees another person's sync")
    func syncsOfOthers() async throws {
        try await TestGateway.run { gateway in
            let (ada, bob) = (try await gateway.authorization(), try await gateway.authorization("bob"))
            try await gateway.withClient { client in
                _ = try await LibraryClient(client: client, headers: ada).post("syncs")
                let other = try await LibraryClient(client: client, headers: bob).get("syncs/latest")
                #expect(other.status == .noContent)
            }
        }
    }

    @Test(
        "Requests for syncs are read strictly",
        arguments: [
            (#"{"source":"tidal"}"#, 422), (#"{"source":1}"#, 422), (#"{"force":"yes"}"#, 422), (#"{"all":true}"#, 422),
            ("{", 400), (#"{"source":null,"force":null}"#, 202), (#"{"source":"spotify"}"#, 202),
        ])
    func strictRequests(body: String, status: Int) async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let response = try await LibraryClient(client: client, headers: headers).post("syncs", body)
                #expect(response.status.code == status)
            }
        }
    }

    @Test("Dismissing without errors changes nothing, and the counts of a removal are those of the source")
    func dismissalAndRemoval() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            try await gateway.withClient { client in
                let library = LibraryClient(client: client, headers: ada.headers)
                let dismissed = try await library.post("errors/dismiss")
                #expect(try dismissed.object["dismissed"] as? Int == 0)
                let spotify = try await library.object("sources/spotify/removal")
                #expect(spotify as? [String: Int] == ["tracks": 3, "playlists": 1, "albums": 1])
                let apple = try await library.object("sources/appleMusic/removal")
                #expect(apple as? [String: Int] == ["tracks": 4, "playlists": 0, "albums": 0])
                #expect(try await library.get("sources/tidal/removal").status == .notFound)
            }
        }
    }

    @Test("An answer without a question is a conflict, and is read strictly")
    func unaskedAnswer() async throws {
        try await TestGateway.run { gateway in
            let headers = try await gateway.authorization()
            try await gateway.withClient { client in
                let library = LibraryClient(client: client, headers: headers)
                let answer = try await library.post("sources/appleMusic/account", #"{"same":true}"#)
                #expect(answer.status == .conflict)
                #expect(try answer.problem.code == "accountKnown")
                #expect(try await library.post("sources/appleMusic/account", "{}").status == .unprocessableContent)
                #expect(try await library.post("sources/tidal/account", #"{"same":true}"#).status == .notFound)
                let latest = try await library.get("syncs/latest")
                #expect(latest.status == .noContent)
            }
        }
    }

    @Test("A disconnected source's rows are deleted by the upkeep, and the other source's stay")
    func rowsOfADisconnectedSource() async throws {
        try await TestGateway.run { gateway in
            let ada = try await LibraryPerson(gateway)
            try await ada.fill()
            let userID = ada.userID
            try await gateway.database.write { transaction in
                try transaction.publish(AccountRemoved(userID: userID, provider: .spotify, remaining: []))
                // Services without libraries have nothing to delete.
                try transaction.publish(AccountRemoved(userID: userID, provider: .gemini, remaining: []))
            }
            try await LibraryRemovals(database: gateway.database).run()
            let due = try await gateway.database.read { try $0.sourceRemovals.sourcesToRemove(limit: 10).count }
            #expect(due == 0)
            try await gateway.withClient { client in
                let library = LibraryClient(client: client, headers: ada.headers)
                let titles: [String] = try await library.values("tracks?sort=title")
                #expect(titles == (0..<6).map { "Song \($0)" })
                let summary = try await library.object("summary")
                #expect(
                    summary["tracks"] as? [String: Int] == ["all": 6, "appleMusic": 6, "spotify": 0, "both": 0])
                #expect(summary["playlists"] as? Int == 0 && summary["albums"] as? Int == 0)
                let found = try await library.object("tracks?q=song%208")
                #expect(found["total"] as? Int == 0)
            }
        }
    }
}
