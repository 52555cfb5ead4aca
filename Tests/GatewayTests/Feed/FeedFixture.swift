import Model
import Storage

@testable import Curation
@testable import Gateway

/// What tests of feeds do.
extension PeopleFixture {
    /// Adds recommendations to the feed of a person.
    func recommend(_ songs: Int, to name: String) async throws {
        let userID = try id(of: name)
        try await gateway.database.write { transaction in
            let list = try transaction.curation.begin(
                .recommendations(seed: 1), title: "For you", userID: userID, cost: nil, now: .now())
            let tracks = (1...songs).map { number in
                CuratedTrack(
                    reference: "spotify:\(number)", title: "Song \(number)", artist: "Ada", album: "",
                    origin: .spotify, reason: "It fits.", evidence: [])
            }
            try transaction.curation.finish(
                ListContent(
                    id: list.id, userID: userID, tracks: tracks, dropped: [], at: .now(), cacheKey: nil, fallback: nil))
        }
    }
}
