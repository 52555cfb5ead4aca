import Accounts
import Foundation
import HummingbirdTesting
import Model
import Storage
import Testing
import Visibility

@testable import Gateway

@Suite("Who sees the picture that a person has uploaded")
struct PersonPictureVisibilityTests {
    /// Stores a picture of a person.
    ///
    /// - Returns: its path.
    private func addPicture(of name: String, in people: PeopleFixture) async throws -> String {
        let accounts = Accounts(database: people.gateway.database)
        let address = try await accounts.setPicture([1, 2, 3], type: "image/webp", userID: try people.id(of: name))
        return PicturePaths.peoplePrefix + (try #require(address))
    }

    @Test("The uploaded picture is in the profile, in lists, in searches and in the changes of those who follow")
    func places() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            try await people.follow("bea", as: "ada")
            let seq = try #require(try await people.json("/v1/me/following", as: "ada")["seq"] as? Int)
            let path = try await addPicture(of: "bea", in: people)
            #expect(try await people.json("/v1/users/bea", as: "ada")["picture"] as? String == path)
            #expect(try await people.json("/v1/me", as: "bea")["picture"] as? String == path)
            for list in ["/v1/me/following", "/v1/users?q=be", "/v1/users"] {
                let card = try #require(try await people.items(list, as: "ada").first)
                #expect(card["picture"] as? String == path, "\(list)")
            }
            let authors = try await people.gateway.database.read { reader in
                try reader.rows("SELECT change FROM author_log").map { try $0["change"] as Int }
            }
            #expect(authors.contains { $0 > seq }, "followers learn of the picture")
            try await Accounts(database: people.gateway.database).removePicture(userID: try people.id(of: "bea"))
            #expect(try await people.items("/v1/me/following", as: "ada").first?["picture"] is NSNull)
        }
    }

    @Test("Whoever may not know of a person finds nothing at the address of the picture, as at an unknown one")
    func hiddenPictures() async throws {
        try await PeopleFixture.run(["ada", "bea"]) { people in
            let path = try await addPicture(of: "bea", in: people)
            let unknown = try await people.send(.get, PicturePaths.peoplePrefix + "unknown", as: "ada")
            #expect(unknown.status == .notFound)
            func status() async throws -> Int { Int(try await people.send(.get, path, as: "ada").status.code) }
            #expect(try await status() == 200)
            try await people.setVisibility(.private, of: "bea")
            let hidden = try await people.send(.get, path, as: "ada")
            #expect(hidden.status == .notFound && hidden.body == unknown.body)
            #expect(try await people.send(.get, path, as: "bea").status == .ok, "people see their own picture")
            // Whoever follows somebody shows their name and picture with it.
            try await people.follow("ada", as: "bea")
            #expect(try await status() == 200)
            _ = try await people.send(.put, "/v1/users/ada/block", as: "bea")
            try await people.setVisibility(.public, of: "bea")
            #expect(try await status() == 404)
            _ = try await people.send(.delete, "/v1/users/ada/block", as: "bea")
            _ = try await people.send(.put, "/v1/users/bea/block", as: "ada")
            #expect(try await status() == 404, "a block hides both from each other")
        }
    }
}
