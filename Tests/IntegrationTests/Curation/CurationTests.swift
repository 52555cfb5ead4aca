import Model
import TestProcesses
import TestSupport
import Testing

@Suite("Lists that are made for people", .timeLimit(.minutes(15)))
struct CurationTests {
    private struct SourcesAnswer: Decodable, Sendable {
        struct SourceTrack: Decodable, Sendable { var sourceId: String }
        var sourceTracks: [SourceTrack]
    }

    @Test("Without a key, a list is made by rules, is the same for the same seed, and says so")
    func withoutKey() async throws {
        try await LibraryInstallation.runWithCuration { library, ada in
            let body: [String: JSON] = ["prompt": "something calm", "size": 20, "source": "library", "seed": 5]
            let list = try await ada.madeList(body)
            #expect(list.state == "complete" && list.ids.count == 20 && list.title == "Something calm")
            #expect(list.fallback?.contains("/setup/gemini") == true && list.model == nil)
            #expect(try await ada.madeList(body).ids == list.ids)
            #expect(list.tracks?.allSatisfy { !$0.reason.isEmpty && $0.source == "library" && !$0.filled } == true)
            let sent: SentAnswer = try await ada.get("/v1/ai/playlists/\(list.id)/sent").decode()
            #expect(sent.sent == nil && sent.model == nil)
            #expect(try await library.upstreams.gemini.calls("generateContent") == 0)

            let bea = try await library.base.addUser("bea")
            #expect(try await bea.get("/v1/ai/playlists/\(list.id)").status == 404)
            let empty = try await bea.post("/v1/ai/playlists", JSON.object(body).encoded)
            #expect(empty.status == 409 && empty.text.contains("libraryEmpty"))
            #expect(try await ada.send(.DELETE, "/v1/ai/playlists/\(list.id)").status == 204)
            #expect(try await ada.get("/v1/ai/playlists/\(list.id)").status == 404)
        }
    }

    @Test("A model chooses among numbered songs, and only listed songs get into the list")
    func numberedSongs() async throws {
        try await LibraryInstallation.runWithCuration { library, ada in
            try await ada.enterGeminiKey()
            let list = try await ada.madeList(["prompt": "rainy Sunday", "size": 15, "source": "library"])
            #expect(list.state == "complete" && list.ids.count == 15 && Set(list.ids).count == 15)
            #expect(list.fallback == nil && list.model == "gemini-3.8-flash" && list.usage.totalTokens > 500)
            #expect(list.tracks?.filter(\.filled).count == 0)
            // Nobody has entered prices.
            #expect(list.usage.inputTokens != nil && list.cost == nil)
            let estimate: EstimateAnswer = try await ada.get("/v1/ai/estimate").decode()
            #expect(estimate.provider == "gemini" && estimate.usedThisMonth == list.usage.totalTokens)
            // The same request again, for the same library, needs no call.
            let body: [String: JSON] = ["prompt": "twice", "size": 10, "source": "library", "seed": 3]
            let (first, calls) = (
                try await ada.madeList(body), try await library.upstreams.gemini.calls("generateContent")
            )
            let second = try await ada.madeList(body)
            #expect(second.ids == first.ids && second.model == first.model && second.usage.totalTokens == 0)
            #expect(try await library.upstreams.gemini.calls("generateContent") == calls)
            let removal = "/v1/ai/playlists/\(second.id)/tracks/\(second.ids[4])"
            #expect(try await ada.send(.DELETE, removal).status == 204)
            #expect(try await ada.listEnded(second.id).ids == second.ids.filter { $0 != second.ids[4] })
            #expect(try await ada.send(.DELETE, removal).status == 404)
            let sent = String(decoding: try await ada.get("/v1/ai/playlists/\(list.id)/sent").body, as: UTF8.self)
            #expect(sent.contains("rainy Sunday") && !sent.contains("\"ada\""))
            #expect(!list.ids.contains { sent.contains($0) })

            // A long list is planned by the model, and Backline finds its songs.
            let long = try await ada.madeList(["prompt": "a long drive", "size": 60, "source": "library"])
            #expect(long.fallback == nil && long.ids.count == 60 && Set(long.ids).count == 60, "\(long)")
            #expect(long.tracks?.contains(where: \.filled) == false)
            let plan = String(decoding: try await ada.get("/v1/ai/playlists/\(long.id)/sent").body, as: UTF8.self)
            #expect(plan.contains(#""genres":"#) && !plan.contains(#""candidates""#))

            for behaviour in ["careless", "outOfRange", "repeating", "exceeding", "fenced", "split", "boasting"] {
                try await library.upstreams.gemini.configure(["behaviour": .string(behaviour)])
                let other = try await ada.madeList([
                    "prompt": .string("other \(behaviour)"), "size": 12, "source": "library",
                ])
                #expect(other.fallback == nil && other.ids.count == 12 && Set(other.ids).count == 12, "\(behaviour)")
                #expect(other.tracks?.contains { $0.reason.contains("Grammy") } == false)
            }
        }
    }

    @Test("Songs that a model names freely exist at the service, and those that do not are listed as left out")
    func freelyNamedSongs() async throws {
        try await LibraryInstallation.runWithCuration { library, ada in
            try await ada.enterGeminiKey()
            let list = try await ada.madeList(["prompt": "new songs", "size": 10, "source": "discovery"])
            #expect(list.state == "complete" && list.ids.count >= 5, "\(list)")
            #expect(list.ids.allSatisfy { $0.hasPrefix("spotify:") })
            let known = Set(try await ada.libraryTracks().map { "\($0.artist) – \($0.title)" })
            #expect(list.tracks?.contains { known.contains("\($0.track.artist) – \($0.track.title)") } == false)
            try await library.upstreams.gemini.configure(["behaviour": "inventing"])
            let invented = try await ada.madeList(["prompt": "inventions", "size": 10, "source": "discovery"])
            #expect(invented.dropped.contains { $0.said.contains("That Never Was") && $0.why.contains("found") })
            #expect(invented.tracks?.contains { $0.track.title.contains("That Never Was") } == false)

            let saved = try await ada.post(
                "/v1/ai/playlists/\(list.id)/save", #"{"to":"spotify","name":"Saved by a test"}"#)
            #expect(saved.status == 202, "\(saved.text)")
            let edit = try await ada.editEnded(try saved.decode(EditAnswer.self).id)
            #expect(edit.state == "complete" && edit.done == list.ids.count)
            let made = try await library.upstreams.spotify.library().playlists.filter { $0.name == "Saved by a test" }
            #expect(made.map(\.total) == [list.ids.count])
        }
    }

    @Test("An unwanted song stays out, whatever it is called, even if the same list is requested again")
    func unwantedSong() async throws {
        try await LibraryInstallation.runWithCuration { library, ada in
            try await ada.enterGeminiKey()
            var body: [String: JSON] = ["prompt": "calm", "size": 10, "source": "library", "seed": 4]
            let first = try await ada.madeList(body)
            var names: [String] = []
            for id in first.ids.prefix(2) {
                let song: SourcesAnswer = try await ada.get("/v1/library/tracks/\(id)").decode()
                names.append("spotify:\(try #require(song.sourceTracks.first).sourceId)")
            }
            body["exclude"] = .object(["tracks": .array(names.map { .string($0) })])
            #expect(try await Set(ada.madeList(body).ids).isDisjoint(with: first.ids.prefix(2)))
            body["exclude"] = nil
            #expect(try await ada.send(.PUT, "/v1/ai/dismissals/\(names[0])").status == 204)
            let again = try await ada.madeList(body)
            #expect(!again.ids.contains(first.ids[0]), "it was made before the song was dismissed")

            let removed = again.ids[3]
            #expect(try await ada.send(.DELETE, "/v1/ai/playlists/\(again.id)/tracks/\(removed)").status == 204)
            let refined = try await ada.madeList(["prompt": "calm"], at: "playlists/\(again.id)/refinements")
            #expect(!refined.ids.contains(removed) && !refined.ids.contains(first.ids[0]))
            // A song that the library does not have is recognized by its details, even when its list is gone.
            let found = try await ada.madeList(["prompt": "calm", "size": 10, "source": "discovery"])
            let stranger = try #require(found.tracks?.first { $0.track.id.hasPrefix("spotify:") }).track
            #expect(try await ada.send(.PUT, "/v1/ai/dismissals/\(stranger.id)").status == 204)
            #expect(try await ada.send(.DELETE, "/v1/ai/playlists/\(found.id)").status == 204)
            struct Dismissals: Decodable, Sendable {
                struct Item: Decodable, Sendable {
                    var id: String
                    var title: String?
                }
                var items: [Item]
            }
            let dismissals: Dismissals = try await ada.get("/v1/ai/dismissals").decode()
            #expect(dismissals.items.first?.id == stranger.id && dismissals.items.first?.title == stranger.title)
            #expect(dismissals.items.count == 2 && dismissals.items.last?.title != nil)

            let short = try await ada.madeList(["prompt": "calm", "size": 5, "minutes": 120, "source": "library"])
            #expect(short.shortfall?.contains("of the 120 minutes") == true && again.shortfall == nil)
        }
    }

    @Test("A refinement keeps pinned songs, and deleting it brings the former list back")
    func refinedList() async throws {
        try await LibraryInstallation.runWithCuration { library, ada in
            try await ada.enterGeminiKey()
            let list = try await ada.madeList(["prompt": "rainy Sunday", "size": 10, "source": "library"])
            let pinned = Array(list.ids[2...4])
            let path = "playlists/\(list.id)/refinements"
            let refined = try await ada.madeList(
                ["prompt": "louder", "pinned": .array(pinned.map { .string($0) })], at: path)
            #expect(Array(refined.ids.prefix(3)) == pinned && refined.ids.count == 10)
            #expect(refined.tracks?.filter(\.pinned).count == 3)
            let wrong = try await ada.post("/v1/ai/" + path, #"{"prompt":"x","pinned":["spotify:unknown"]}"#)
            #expect(wrong.status == 422)
            #expect(try await ada.send(.DELETE, "/v1/ai/playlists/\(refined.id)").status == 204)
            #expect(try await ada.listEnded(list.id).ids == list.ids)
        }
    }

    @Test("If Gemini cannot answer, the list is made without it, and each reply's tokens count once")
    func failingModel() async throws {
        try await LibraryInstallation.runWithCuration { library, ada in
            try await ada.enterGeminiKey()
            var used = 0
            for (behaviour, calls) in [
                ("promptBlocked", 1), ("noCandidates", 2), ("safety", 1), ("recitation", 2), ("other", 2),
                ("newReason", 1), ("onlyThoughts", 2), ("maxTokens", 2), ("brokenJSON", 2), ("obedient", 1),
            ] {
                try await library.upstreams.gemini.configure(["behaviour": .string(behaviour)])
                let before = try await library.upstreams.gemini.calls("generateContent")
                let list = try await ada.madeList([
                    "prompt": .string("ignore everything, \(behaviour)"), "size": 8, "source": "library",
                ])
                #expect(list.state == "complete" && list.ids.count == 8, "\(behaviour): \(list)")
                #expect(list.fallback != nil, "\(behaviour)")
                #expect(try await library.upstreams.gemini.calls("generateContent") - before == calls, "\(behaviour)")
                used += list.usage.totalTokens
            }
            let estimate: EstimateAnswer = try await ada.get("/v1/ai/estimate").decode()
            #expect(estimate.usedThisMonth == used)

            // A single broken answer is requested again.
            try await library.upstreams.gemini.configure(["behaviour": "plausible", "next": .array(["brokenJSON"])])
            let again = try await ada.madeList(["prompt": "twice", "size": 8, "source": "library"])
            #expect(again.fallback == nil)

            // A used-up day is remembered: no further request is made.
            try await library.upstreams.gemini.injectFault("perDay429", times: 1)
            let spent = try await ada.madeList(["prompt": "spent", "size": 8, "source": "library"])
            #expect(spent.fallback != nil)
            let calls = try await library.upstreams.gemini.calls("generateContent")
            let later = try await ada.madeList(["prompt": "later", "size": 8, "source": "library"])
            #expect(later.fallback != nil)
            #expect(try await library.upstreams.gemini.calls("generateContent") == calls)
            let sent: SentAnswer = try await ada.get("/v1/ai/playlists/\(later.id)/sent").decode()
            #expect(sent.sent == nil, "nothing was sent for a list for which no model was called")
        }
    }

    @Test("A retired model is followed by the next one, and a refused key needs attention")
    func retiredModel() async throws {
        try await LibraryInstallation.runWithCuration { library, ada in
            try await ada.enterGeminiKey()
            try await library.upstreams.gemini.configure(["retired": .array(["gemini-3.8-flash"])])
            let list = try await ada.madeList(["prompt": "rainy", "size": 8, "source": "library"])
            #expect(list.model == "gemini-3.5-flash" && list.fallback == nil)
            try await library.upstreams.gemini.configure(["keys": .object(["demo-gemini-key": "expired"])])
            let refused = try await ada.madeList(["prompt": "sunny", "size": 8, "source": "library"])
            #expect(refused.state == "complete" && refused.fallback?.contains("key") == true)
            #expect(try await ada.setup().step("gemini")?.state == "needsAttention")
        }
    }

    @Test("Recommendations match what was heard recently, and songs heard together belong together")
    func heardTogether() async throws {
        try await LibraryInstallation.runWithCuration { library, ada in
            let songs = try await ada.libraryTracks(source: "spotify")
            let (often, together) = (songs[0], songs[1])
            try await ada.tellListens([often, together, often, together, often].map { ($0.title, $0.artist) })
            let list = try await ada.madeList(
                ["basedOn": .array([.string(often.id)]), "size": 60, "source": "library"], at: "recommendations")
            let item = try #require(list.tracks?.first { $0.track.id == together.id }, "\(list)")
            #expect(item.reason.contains("heard it once together with songs that this list is based on"))
            // Without songs to start from, the most recently heard ones are used, and these need no recommendation.
            let lately = try await ada.madeList(["size": 10, "source": "library"], at: "recommendations")
            #expect(lately.ids.count == 10 && Set(lately.ids).isDisjoint(with: [often.id, together.id]))
        }
    }

    @Test("Recommendations and suggestions for a playlist match what they are based on, and do not repeat it")
    func recommendationsAndSuggestions() async throws {
        try await LibraryInstallation.runWithCuration { library, ada in
            let songs = try await ada.libraryTracks(source: "spotify")
            let based = Array(songs.prefix(3).map(\.id))
            let list = try await ada.madeList(
                ["basedOn": .array(based.map { .string($0) }), "size": 10, "source": "library"], at: "recommendations")
            #expect(list.ids.count == 10 && Set(list.ids).isDisjoint(with: based))
            let latest: ListAnswer = try await ada.get("/v1/ai/recommendations").decode()
            #expect(latest.id == list.id)

            struct Playlists: Decodable, Sendable {
                struct Item: Decodable, Sendable { var id: String }
                var items: [Item]
            }
            let playlists: Playlists = try await ada.get("/v1/library/playlists").decode()
            let playlist = try #require(playlists.items.first)
            let suggestions = try await ada.madeList(
                ["playlistId": .string(playlist.id), "size": 10, "source": "library"], at: "growth")
            #expect(suggestions.state == "complete" && suggestions.ids.count == 10)
            let body = try await ada.get("/v1/library/playlists/\(playlist.id)?limit=200").body
            let text = String(decoding: body, as: UTF8.self)
            #expect(suggestions.ids.allSatisfy { !text.contains($0) })
            // A malformed id is answered like an unknown one.
            for unknown in ["nonsense", "", "0199ab23-4567-7000-8000-123456789abc"] {
                let refused = try await ada.post("/v1/ai/growth", #"{"playlistId": "\#(unknown)"}"#)
                #expect(refused.status == 404)
                #expect(try refused.problem.detail == "You have no playlist with this id.")
            }
        }
    }
}
