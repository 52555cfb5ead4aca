import Model
import TestSupport

@testable import Library
@testable import LibraryWriting

extension TestLibrary {
    /// Sets whether remasters are the same songs. The library is not regrouped yet.
    func set(remastersAreSame areSame: Bool) async throws {
        try await database.write {
            try $0.trackIdentity.setRemastersAreSame(areSame, userID: userID, now: Self.moment(3))
        }
    }

    /// Makes the library due for regrouping from a stage on.
    func makeDue(_ stage: RegroupStage) async throws {
        try await database.write { transaction in
            try transaction.run(
                "UPDATE libraries SET identity_stage = \(stage.rawValue) WHERE id = \(libraryID)")
        }
    }

    /// Merges or splits some tracks, or undoes a decision.
    func decide(_ random: inout SeededRandom) async throws {
        let tracks = try await tracks().map { (LibraryID(key: $0.id), $0.parts.map { LibraryID(key: $0.id) }) }
        let chosen = Array(tracks.shuffled(using: &random).prefix(2))
        let kind = Int.random(in: 0..<4, using: &random)
        try await database.write { transaction in
            let store = transaction.trackIdentity
            if kind == 0, chosen.count == 2 {
                _ = try store.merge(chosen.map(\.0), userID: userID, now: .now())
            } else if kind == 1, chosen.count == 2 {
                _ = try store.separate(chosen.map(\.0), userID: userID, now: .now())
            } else if kind == 2, let (track, parts) = chosen.first(where: { $0.1.count > 1 }) {
                _ = try store.split(track, Array(parts.dropFirst()), userID: userID, now: .now())
            } else if let decision = try store.allDecisions(ofLibrary: libraryID).last {
                _ = try store.undo(decision.id, userID: userID, now: .now())
            }
        }
    }

    /// The parts of a library that must not depend on its history: which source tracks are one track, the values of
    /// tracks, and which tracks may be the same song.
    func identityState() async throws -> [String] {
        let tracks = try await tracks()
        let names = Dictionary(
            uniqueKeysWithValues: tracks.map { ($0.id, $0.parts.map(\.track.sourceID).sorted().joined(separator: " ")) }
        )
        let pairs = try await database.read { reader in
            try reader.trackIdentity.duplicates(ofTracks: tracks.map(\.id), library: libraryID)
        }
        let values = tracks.map { "\(names[$0.id] ?? ""): \($0.values)" }
        let questions = pairs.map { pair in
            pair.tracks.map { names[$0] ?? "?" }.sorted().joined(separator: " ~ ") + " \(pair.likelihood)"
        }
        return values.sorted() + questions.sorted()
    }

    /// Each source track with its track, and each merged track with its survivor. Ids are replaced with consecutive
    /// numbers, since new ones depend on the time.
    func idState() async throws -> [String] {
        let tracks = try await tracks()
        let former = try await database.read { reader in
            try reader.map(
                "SELECT id, track_id, source_track_id FROM library_former_tracks WHERE library_id = \(libraryID)"
            ) { [try $0["id"], try $0["track_id"], try $0["source_track_id"]] as [Int64] }
        }
        let parts = tracks.flatMap(\.parts)
        let ids = Set(tracks.map(\.id)).union(former.map { $0[0] }).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0) })
        let names = Dictionary(uniqueKeysWithValues: parts.map { ($0.id, $0.track.sourceID) })
        func number(_ id: Int64) -> String { numbers[id].map(String.init) ?? "?" }
        return parts.map { "\($0.track.sourceID): \(number($0.trackID))" }.sorted()
            + former.map { "\(number($0[0])) is \(number($0[1])) by \(names[$0[2]] ?? "?")" }.sorted()
    }
}
