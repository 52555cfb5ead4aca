import Model
import Storage
import Testing
import Visibility

@testable import Curation

@Suite("Blends in a person's export")
struct BlendExportTests {
    /// The songs of a person's lists as the export has them, in their order.
    private func exported(of userID: String, in blends: BlendFixture) async throws -> [CuratedTrack] {
        let table = try #require([PersonalTable].curation.first { $0.name.description == "curated_tracks" })
        guard case .rows(_, let columns) = table.export else { return [] }
        return try await blends.database.read { reader in
            var (tracks, position): ([CuratedTrack], PersonalTable.ExportPosition?) = ([], nil)
            repeat {
                // One row at a time, so that each begins at a position.
                position = try table.forEachExportedRow(
                    of: userID, columns, after: position, limit: 1, maximumBytes: 1, in: reader
                ) { values in
                    if case .text(let text) = values.last {
                        tracks.append(try JSONColumn.decode(text, column: "track"))
                    }
                }
            } while position != nil
            return tracks
        }
    }

    @Test("The songs of a blend are as its page shows them, also after it has ended")
    func endedBlend() async throws {
        try await BlendFixture.run { blends in
            try await blends.agree()
            let list = try await blends.begin()
            try await blends.finish(list)
            func shown() async throws -> [CuratedTrack] {
                try await blends.songs(of: try #require(try await blends.lists(of: "ada").first))
            }
            #expect(try await exported(of: "ada", in: blends) == shown())
            #expect(try await exported(of: "ada", in: blends).contains { $0.evidence.contains(.partnerHas) })
            try await blends.write { try $0.block("ada", by: "bea") }
            let tracks = try await exported(of: "ada", in: blends)
            #expect(try await tracks == shown() && tracks.count == 3)
            for track in tracks {
                #expect(track.attribution != .partner && track.attribution != .both)
                #expect(track.evidence.allSatisfy { ![.sharedSong, .partnerHas].contains($0.kind) })
                #expect(!track.reason.contains("both") && !track.reason.contains("other person"))
            }
        }
    }
}
