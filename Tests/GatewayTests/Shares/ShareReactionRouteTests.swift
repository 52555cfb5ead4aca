import Foundation
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import Visibility

@testable import Gateway

@Suite("Routes of reactions to shares, and of pins")
struct ShareReactionRouteTests {
    @Test("Reactions, thanks and pins are shown, and may be repeated")
    func reactions() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            let id = try await people.share(as: "ada")
            for _ in 0..<2 {
                let reacted = try await people.send(
                    .put, "/v1/shares/\(id)/reaction", as: "bea", body: #"{"reaction":"dance"}"#)
                #expect(reacted.status == .noContent)
                #expect(try await people.send(.put, "/v1/shares/\(id)/thanks", as: "bea").status == .noContent)
            }
            let unknown = try await people.send(
                .put, "/v1/shares/\(id)/reaction", as: "bea", body: #"{"reaction":"yawn"}"#)
            #expect(unknown.status == .unprocessableContent)
            #expect(try unknown.problem.detail.contains("heart, fire, laugh, wow, sad, dance"))
            #expect(
                try await people.send(.put, "/v1/shares/\(id)/reaction", as: "ada", body: #"{"reaction":"wow"}"#).status
                    == .conflict)
            let seen = try await people.json("/v1/shares/\(id)", as: "bea")
            let reactions = try #require(seen["reactions"] as? [String: Any])
            #expect(reactions["mine"] as? String == "dance" && reactions["thanks"] as? Int == 1)
            #expect((reactions["counts"] as? [String: Int])?["dance"] == 1 && seen["thanked"] as? Bool == true)
            let reactors = try await people.items("/v1/shares/\(id)/reactions", as: "ada")
            #expect((reactors.first?["person"] as? [String: Any])?["username"] as? String == "bea")

            let pinned = try await people.send(.put, "/v1/me/pin", as: "ada", body: #"{"shareId":"\#(id)"}"#)
            #expect(pinned.status == .ok)
            let list = try await people.json("/v1/users/ada/shares", as: "bea")
            #expect((list["pinned"] as? [String: Any])?["id"] as? String == id)
            for until in ["2020-01-01T00:00:00Z", "2199-01-01T00:00:00Z", "tomorrow"] {
                let refused = try await people.send(
                    .put, "/v1/me/pin", as: "ada", body: #"{"shareId":"\#(id)","until":"\#(until)"}"#)
                #expect(refused.status == .unprocessableContent, "\(until)")
            }
            #expect(
                try await people.send(.put, "/v1/me/pin", as: "bea", body: #"{"shareId":"\#(id)"}"#).status == .notFound
            )
            for _ in 0..<2 {
                #expect(try await people.send(.delete, "/v1/me/pin", as: "ada").status == .noContent)
                #expect(try await people.send(.delete, "/v1/shares/\(id)/reaction", as: "bea").status == .noContent)
                #expect(try await people.send(.delete, "/v1/shares/\(id)/thanks", as: "bea").status == .noContent)
            }
            let after = try await people.json("/v1/shares/\(id)", as: "ada")
            #expect(after["pinnedUntil"] is NSNull)
        }
    }

    @Test("The list of reactions names those whose card the viewer may see, and counts the others")
    func others() async throws {
        try await PeopleFixture.run(["ada", "bea", "cleo", "dora"]) { people in
            let id = try await people.share(as: "ada")
            try await people.follow("ada", as: "cleo")
            for name in ["bea", "cleo", "dora"] {
                let reacted = try await people.send(
                    .put, "/v1/shares/\(id)/reaction", as: name, body: #"{"reaction":"fire"}"#)
                #expect(reacted.status == .noContent)
            }
            for name in ["bea", "cleo"] { try await people.setVisibility(.private, of: name) }
            func seen(by name: String) async throws -> (names: [String], others: Int?) {
                let page = try await people.json("/v1/shares/\(id)/reactions", as: name)
                let items = try #require(page["items"] as? [[String: Any]])
                let last = try await people.gateway.database.read { try $0.lastChange() }
                #expect(page["seq"] as? Int == Int(last), "later changes apply to the list")
                return (
                    items.compactMap { ($0["person"] as? [String: Any])?["username"] as? String },
                    page["others"] as? Int
                )
            }
            // The sender can block and report whom they see: cleo is their follower, bea's page is that of nobody.
            let sender = try await seen(by: "ada")
            #expect(sender.names == ["dora", "cleo"] && sender.others == 1)
            #expect(try await people.send(.get, "/v1/users/bea", as: "ada").status == .notFound)
            #expect(try await people.send(.put, "/v1/users/cleo/block", as: "ada").status == .noContent)
            let after = try await seen(by: "ada")
            #expect(after.names == ["dora"] && after.others == 1)
            let third = try await seen(by: "dora")
            #expect(third.names == ["dora"] && third.others == 2)
        }
    }
}
