import Model
import Storage
import TestSupport
import Testing

@testable import Accounts

@Suite("Who may see a person's stats of listens")
struct StatsVisibilityTests {
    @Test("The person always; others if they may see the profile and the person shows stats")
    func visibility() async throws {
        try await withDatabase { database, _ in
            let id = try await database.addPerson()
            let stored = try await database.read { try $0.accounts.profile(userID: id) }
            var profile = try #require(stored)
            for shows in [true, false] {
                profile.showsListeningStats = shows
                for (visibility, stranger, follower) in [
                    (ProfileVisibility.public, true, true), (.followers, false, true), (.private, false, false),
                ] {
                    profile.visibility = visibility
                    #expect(profile.showsListeningStats(to: id, isFollower: false))
                    #expect(profile.showsListeningStats(to: "other", isFollower: false) == (shows && stranger))
                    #expect(profile.showsListeningStats(to: "other", isFollower: true) == (shows && follower))
                }
            }
        }
    }
}
