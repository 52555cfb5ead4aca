import Concerts
import Library
import LibraryWriting
import Model
import PermitStorage
import Storage
import TestSupport
import Testing

@testable import Gateway

@Suite("Pruning by the gateway's upkeep steps", .timeLimit(.minutes(5)))
struct PruningStepTests {
    private func prune(_ name: String, of domain: String, in gateway: TestGateway) async throws {
        let domain = gateway.application.domains.first { $0.name == domain }
        let step = domain?.upkeepSteps.first { $0.name == name }
        guard case .pruning(let run)? = step?.work else {
            Issue.record("there is no such step")
            return
        }
        try await run(.unguarded(.now()))
    }

    private func ago(_ days: Int) -> Timestamp { Timestamp.now().advanced(by: .seconds(-86_400 * days)) }

    @Test("The step of concerts deletes stored answers that no search has used recently")
    func storedAnswersOfConcerts() async throws {
        try await TestGateway.run { gateway in
            let old = ago(400)
            try await gateway.database.write { transaction in
                try transaction.concerts.storeAnswer(
                    targetKey: "artist:air", status: "complete", warningCode: nil, attractionID: nil, events: [],
                    reach: .everything, now: old)
            }
            #expect(try await gateway.count("SELECT subject_key FROM concert_subjects") == 1)
            try await prune("prune", of: "concerts", in: gateway)
            #expect(try await gateway.count("SELECT subject_key FROM concert_subjects") == 0)
        }
    }

    @Test("The step of libraries deletes changes that are older than a year")
    func changesOfLibraries() async throws {
        try await TestGateway.run { gateway in
            for name in ["ada", "bob"] {
                let scan = try await LibraryPerson(gateway, name: name).scan(.spotify)
                for days in [400, 300] {
                    let (moment, title) = (ago(days), "\(days) days old")
                    try await gateway.database.write { transaction in
                        let track = SourceTrack(sourceID: title, title: title, artist: "Air", album: "Moon Safari")
                        _ = try transaction.tracks.storeSavedTracks([track], by: scan, isWhole: false, now: moment)
                    }
                }
            }
            try await prune("pruneHistory", of: "library", in: gateway)
            let left = try await gateway.database.read { reader in
                try reader.map("SELECT title FROM library_changes") { try $0["title"] as String }
            }
            #expect(left == ["300 days old", "300 days old"])
            #expect(try await gateway.count("SELECT id FROM library_tracks") == 4)
        }
    }

    @Test("The step of permits deletes the counts of past days")
    func countsOfPastDays() async throws {
        try await TestGateway.run { gateway in
            let share = CallShare(provider: "ticketmaster", userID: "ada", limit: 5)
            let old = ago(3)
            _ = try await gateway.database.write { try $0.permits.chargeShare(share, now: old) }
            #expect(try await gateway.count("SELECT used FROM call_shares") == 1)
            try await prune("prunePermitKeys", of: "operations", in: gateway)
            #expect(try await gateway.count("SELECT used FROM call_shares") == 0)
        }
    }
}
