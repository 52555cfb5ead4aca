import Model
import Storage
import TestProcesses
import TestSupport
import Testing

@Suite("Blends of two people", .timeLimit(.minutes(15)))
struct BlendingTests {
    private struct Blend: Decodable, Sendable {
        struct Item: Decodable, Sendable {
            struct Track: Decodable, Sendable {
                var id: String
                var title: String
            }
            var track: Track
            var reason: String
            var attribution: String
        }
        var id: String
        var state: String
        var awaitsConsent: Bool
        var with: String?
        var tracks: [Item]?
        var error: EditAnswer.Failure?
    }

    private struct Page<Element: Decodable & Sendable>: Decodable, Sendable {
        var items: [Element]
    }

    private struct Partner: Decodable, Sendable, Equatable {
        var username: String
        var state: String
    }

    /// Ada, whose library is at Spotify, and Bea, whose library is at Apple Music. They share six tenths of it.
    private func run(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (LibraryInstallation, _ ada: APIClient, _ bea: APIClient) async throws -> Void
    ) async throws {
        try await LibraryInstallation.run(sourceLocation: sourceLocation) { library in
            _ = try await library.base.startWorker(.ai)
            try await library.base.connected(workers: 2)
            try await library.fill(library.upstreams.spotify, tracks: 100, oddities: false)
            try await library.fill(library.upstreams.appleMusic, tracks: 100, first: 40, oddities: false)
            let ada = try await library.base.addUser()
            let bea = try await library.base.addUser("bea")
            try await library.connectSpotify(ada)
            try await library.connectAppleMusic(bea)
            try await ada.syncsEnded()
            try await bea.syncsEnded()
            try await body(library, ada, bea)
        }
    }

    private func begin(_ client: APIClient, with name: String) async throws -> Blend {
        let response = try await client.post("/v1/ai/blends", #"{"with":"\#(name)","size":20,"seed":9}"#)
        guard response.status == 202 else { throw UnexpectedAnswer(description: "\(response.status) \(response.text)") }
        return try response.decode()
    }

    private func ended(_ id: String, _ client: APIClient) async throws -> Blend {
        try await eventually("the end of the blend", within: LibraryInstallation.patience) { () -> Blend? in
            let blend: Blend = try await client.get("/v1/ai/blends/\(id)").decode()
            return ["complete", "failed"].contains(blend.state) ? blend : nil
        }
    }

    private func partners(_ client: APIClient) async throws -> [Partner] {
        try await client.get("/v1/ai/blend-partners").decode(Page<Partner>.self).items
    }

    private func answer(_ client: APIClient, _ answer: String, to name: String) async throws -> Int {
        try await client.send(
            .PUT, "/v1/ai/blend-partners/\(name)", body: Array(#"{"answer":"\#(answer)"}"#.utf8)
        ).status
    }

    @Test("A blend waits for consent, is shown to both, and each can play it on their own service")
    func blendWithConsent() async throws {
        try await run { library, ada, bea in
            let asked = try await begin(ada, with: "bea")
            #expect(asked.awaitsConsent)
            #expect(try await partners(ada) == [Partner(username: "bea", state: "asking")])
            #expect(try await partners(bea) == [Partner(username: "ada", state: "asked")])
            #expect(try await ada.get("/v1/ai/blends/\(asked.id)").status == 200)
            #expect(try await bea.get("/v1/ai/blends/\(asked.id)").status == 404)
            #expect(try await answer(bea, "accept", to: "ada") == 204)

            let made = try await ended(asked.id, ada)
            #expect(made.state == "complete" && made.tracks?.count == 20, "\(made)")
            let others: Page<Blend> = try await bea.get("/v1/ai/blends").decode()
            let mirrored = try await ended(try #require(others.items.first).id, bea)
            #expect(mirrored.with == "ada")
            #expect(mirrored.tracks?.map(\.track.title) == made.tracks?.map(\.track.title))
            for (own, other) in zip(made.tracks ?? [], mirrored.tracks ?? []) {
                let expected = ["both": "both", "you": "partner", "partner": "you"][own.attribution]
                #expect(other.attribution == expected)
                #expect(!own.track.id.hasPrefix("appleMusic:") && !other.track.id.hasPrefix("spotify:"))
            }
            #expect(made.tracks?.contains { $0.attribution == "both" } == true)

            // With the same seed it is the same blend, whoever asks. Consent is not requested again.
            let again = try await ended(try await begin(bea, with: "ada").id, bea)
            #expect(again.tracks?.map(\.track.title) == made.tracks?.map(\.track.title))

            // The blend is saved at the person's own service.
            let saved = try await ada.post("/v1/ai/blends/\(made.id)/save", #"{"to":"spotify"}"#)
            #expect(saved.status == 202, "\(saved.text)")
            #expect(try await ada.editEnded(try saved.decode(EditAnswer.self).id).done == 20)
        }
    }

    @Test("Either person can end it; whoever declines or blocks is not asked again, and a block is not revealed")
    func refusedBlends() async throws {
        try await run { library, ada, bea in
            // The answer does not reveal whether somebody has an account: a missing person looks like one who does not
            // answer.
            let nobody = try await begin(ada, with: "nobody")
            #expect(nobody.awaitsConsent && nobody.with == "nobody")
            #expect(try await partners(ada) == [Partner(username: "nobody", state: "asking")])
            #expect(try await answer(ada, "accept", to: "nobody") == answer(ada, "accept", to: "bea"))
            #expect(try await ada.send(.DELETE, "/v1/ai/blend-partners/nobody").status == 204)
            #expect(try await ended(nobody.id, ada).error?.code == "notAgreed")
            #expect(try await ada.post("/v1/ai/blends", #"{"with":"ada"}"#).status == 422)
            let declined = try await begin(ada, with: "bea")
            #expect(try await answer(bea, "decline", to: "ada") == 204)
            #expect(try await ended(declined.id, ada).error?.code == "notAgreed")
            #expect(try await partners(ada) == [])
            #expect(try await partners(bea) == [])

            let second = try await begin(ada, with: "bea")
            #expect(try await answer(bea, "accept", to: "ada") == 204)
            #expect(try await ended(second.id, ada).state == "complete")
            #expect(try await ada.send(.DELETE, "/v1/ai/blend-partners/bea").status == 204)
            #expect(try await partners(bea) == [])

            let third = try await begin(ada, with: "bea")
            #expect(try await answer(bea, "block", to: "ada") == 204)
            // As after an erasure.
            #expect(try await partners(ada) == [])
            #expect(try await ended(third.id, ada).error?.code == "notAgreed")
            #expect(try await begin(ada, with: "bea").awaitsConsent)
            #expect(try await partners(bea) == [])
            #expect(try await bea.post("/v1/ai/blends", #"{"with":"ada"}"#).status == 409)
            // The blend that was finished before has its songs, and no name.
            let finished: Blend = try await ada.get("/v1/ai/blends/\(second.id)").decode()
            #expect(finished.state == "complete" && finished.with == nil && finished.tracks?.count == 20)
            #expect(finished.tracks?.contains { $0.reason.contains("bea") } == false)

            // A person who leaves leaves no trace with the other.
            let id = try await library.base.withDatabase { database in
                try await database.read { try $0.row("SELECT id FROM users WHERE name = 'bea'")?["id"] as String? }
            }
            let gone = try #require(id)
            #expect(try await bea.leave(as: "bea").status < 300)
            try await eventually("the rows to be gone", within: LibraryInstallation.patience) {
                try await library.base.withDatabase { database in
                    try await database.read { reader in
                        let row = try reader.row(
                            "SELECT COUNT(*) AS n FROM blend_partners WHERE user_id = \(gone) OR partner_id = \(gone)")
                        return (try row?["n"] as Int? ?? 0) == 0
                    }
                }
            }
        }
    }

    @Test("A song that a person does not want is not recommended again, and the schedule makes lists by itself")
    func dismissedSong() async throws {
        try await run { library, ada, _ in
            struct List: Decodable, Sendable {
                struct Item: Decodable, Sendable {
                    struct Track: Decodable, Sendable { var id: String }
                    var track: Track
                }
                var id: String
                var state: String
                var tracks: [Item]?
            }
            func ask() async throws -> List {
                let body = #"{"size":20,"source":"library","seed":4}"#
                let begun: List = try await ada.post("/v1/ai/recommendations", body).decode()
                return try await eventually("the list", within: LibraryInstallation.patience) { () -> List? in
                    let list: List = try await ada.get("/v1/ai/recommendations/\(begun.id)").decode()
                    return list.state == "complete" ? list : nil
                }
            }
            let first = try await ask()
            let unwanted = try #require(first.tracks?.first?.track.id)
            #expect(try await ada.send(.PUT, "/v1/ai/dismissals/\(unwanted)").status == 204)
            #expect(try await ask().tracks?.contains { $0.track.id == unwanted } == false)
            #expect(try await ada.send(.DELETE, "/v1/ai/dismissals/\(unwanted)").status == 204)
            #expect(try await ask().tracks?.contains { $0.track.id == unwanted } == true)

            // The schedule is due at a random moment of the day: here it is due now.
            let latest: List = try await ada.get("/v1/ai/recommendations").decode()
            try await library.base.withDatabase { database in
                try await database.write { transaction in
                    try transaction.run(
                        "UPDATE domain_schedules SET next_at = 1 WHERE kind = 'curation.recommend'")
                }
            }
            try await eventually("a list of the schedule", within: LibraryInstallation.patience) {
                let list: List = try await ada.get("/v1/ai/recommendations").decode()
                return list.id != latest.id
            }
        }
    }
}
