import Gateway
import Listening
import Model
import Storage

/// Finds the songs of people's listens that their feedback names. Songs that were played recently are known at once;
/// the others are found here within seconds, or as soon as the first listen of the song arrives.
struct ListenFeedbackSearch {
    private static let people = 20
    private static let songs = 500

    let database: Database

    func run() async throws {
        for userID in try await database.read({ try $0.listening.peopleToSearchFeedback(limit: Self.people) }) {
            try await search(userID)
        }
    }

    private func search(_ userID: String) async throws {
        guard let search = try await database.read({ try $0.listening.feedbackSearch(ofUser: userID) }) else { return }
        var next: Int64? = max(0, search.from)
        while let last = next {
            let found = try await database.read { try $0.listening.search(search, after: last, limit: Self.songs) }
            if !found.isEmpty {
                try await database.write { try $0.listening.write(found, of: search, userID: userID) }
            }
            next = found.last
            try Task.checkCancellation()
        }
        try await database.write { try $0.listening.end(search) }
    }
}
