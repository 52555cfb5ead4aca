import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite("Setup", .timeLimit(.minutes(20)))
struct SetupTests {
    @Test("A wrong key is refused and not stored; a valid one is stored, shown masked, sent as an event, and kept")
    func ticketmasterKeys() async throws {
        try await SetupInstallation.run { setup in
            let ada = try await setup.base.addUser()
            let stream = try await EventStream.open(ada)
            let before = try await ada.get("/v1/setup")
            let empty: SetupView = try before.decode()
            #expect(empty.steps.map(\.id) == ["spotify", "gemini", "ticketmaster"])
            #expect(empty.optional.map(\.id) == ["appleMusic"])
            #expect(empty.steps.allSatisfy { $0.state == "incomplete" } && empty.completed == 0 && empty.total == 3)
            let tag = try #require(before.header("ETag"))
            #expect(try await ada.get("/v1/setup", headers: ["If-None-Match": tag]).status == 304)

            let refused = try await ada.save("gemini", ["apiKey": "not-a-key-of-anybody"])
            #expect(refused.status == 422)
            #expect(try refused.problem.code == "keyRefused" && refused.problem.field == "$.apiKey")
            #expect(!refused.text.contains("not-a-key-of-anybody"))
            #expect(try await setup.rows() == ["credential_candidates": 0, "secrets": 0, "connections": 0])

            let saved = try await ada.save("gemini", ["apiKey": " \n\(Simulator.geminiKey)\t "])
            #expect(saved.status == 200, "\(saved.text)")
            let step: SetupView.Step = try saved.decode()
            #expect(step.state == "complete" && step.maskedKey == "••••" + Simulator.geminiKey.suffix(4))
            try await stream.first("the step") { $0.name == "setup" && $0.json?["id"] == .string("gemini") }
            stream.close()
            #expect(try await ada.get("/v1/setup", headers: ["If-None-Match": tag]).status == 200)

            // A wrong key does not replace the valid one.
            #expect(try await ada.save("gemini", ["apiKey": "wrong-again"]).status == 422)
            try await setup.stop()
            try await setup.start()
            let after = try await ada.setup()
            #expect(after.completed == 1 && after.step("gemini")?.state == "complete")
            // Another user has no key.
            #expect(try await setup.base.addUser("bob").setup().completed == 0)

            #expect(try await ada.send(.DELETE, "/v1/setup/gemini").status == 204)
            #expect(try await ada.setup().step("gemini")?.state == "incomplete")
            #expect(try await setup.rows()["secrets"] == 0)
        }
    }

    @Test("The home city is set with the Ticketmaster key, changes without it, and is the default of searches")
    func homeCity() async throws {
        try await SetupInstallation.run { setup in
            let ada = try await setup.base.addUser()
            let early = try await ada.save("ticketmaster", ["city": "Brno"])
            #expect(early.status == 422)
            #expect(try early.problem.field == "$.apiKey")
            #expect(try await ada.save("ticketmaster", ["apiKey": "wrong", "city": "Brno"]).status == 422)
            #expect(try await ada.setup().step("ticketmaster")?.city == nil)
            let saved = try await ada.save("ticketmaster", ["apiKey": Simulator.testKey, "city": " Brno "])
            #expect(saved.status == 200, "\(saved.text)")
            #expect(try saved.decode(SetupView.Step.self).city == "Brno")
            let moved: SetupView.Step = try await ada.save("ticketmaster", ["city": "Prague"]).decode()
            #expect(moved.city == "Prague" && moved.state == "complete")
            #expect(moved.maskedKey == "••••" + Simulator.testKey.suffix(4))

            let search: JSON = try await ada.post(
                "/v1/concert-searches", #"{"artists":["Coldplay"]}"#, headers: ["Prefer": "wait=20"]
            ).decode()
            #expect(search["homeCity"] == .string("Prague"))
            let other: JSON = try await ada.post(
                "/v1/concert-searches", #"{"artists":["Coldplay"],"homeCity":"London"}"#, headers: ["Prefer": "wait=20"]
            ).decode()
            #expect(other["homeCity"] == .string("London"))
        }
    }

    @Test("A change of the home city in the profile changes the Ticketmaster step, with and without a key")
    func movedInProfile() async throws {
        try await SetupInstallation.run { setup in
            let ada = try await setup.base.addUser()
            let stream = try await EventStream.open(ada)
            func move(to city: String, _ more: String = "") async throws {
                let body = #"{"homeCity":"\#(city)"\#(more)}"#
                #expect(try await ada.send(.PATCH, "/v1/me", body: Array(body.utf8)).status == 200)
            }
            for city in ["Brno", "Prague"] {
                let tag = try #require(try await ada.get("/v1/setup").header("ETag"))
                try await move(to: city)
                try await stream.first("the city") { $0.name == "setup" && $0.json?["city"] == .string(city) }
                let after = try await ada.get("/v1/setup", headers: ["If-None-Match": tag])
                #expect(after.status == 200)
                #expect(try after.decode(SetupView.self).step("ticketmaster")?.city == city)
                // A change of the profile that keeps the city causes no event.
                try await move(to: city, #","bio":"in \#(city)""#)
                guard city == "Brno" else { continue }
                let saved = try await ada.save("ticketmaster", ["apiKey": Simulator.testKey, "city": city])
                #expect(saved.status == 200, "\(saved.text)")
                try await stream.first("the key") { $0.name == "setup" && $0.json?["maskedKey"] != nil }
            }
            #expect(stream.events.count { $0.name == "setup" } == 3)
            stream.close()
        }
    }

    @Test("Apple's 401 is an error of the developer key, its 403 one of the person's token, and no 4xx is retried")
    func errorsOfApple() async throws {
        try await SetupInstallation.run { setup in
            let ada = try await setup.base.addUser()
            let key = try await setup.upstream.appleMusicKey()
            #expect(try await ada.saveAppleMusic(key, keyID: "WRONGKEY01").problem.code == "keyRefused")
            #expect(try await ada.saveAppleMusic(key, userToken: "stale-token").problem.code == "userTokenRefused")
            var unreadable = key
            for (fault, code, words) in [
                ("noSubscription", "subscriptionMissing", "subscription"),
                ("invalidParameter", "requestRefused", "40005"),
            ] {
                try await setup.upstream.appleMusic.injectFault(fault, times: 1)
                let refused = try await ada.saveAppleMusic(key)
                #expect(refused.status == 422 && refused.header("Retry-After") == nil, "\(refused.text)")
                #expect(try refused.problem.code == code)
                #expect(refused.text.contains(words) && !refused.text.lowercased().contains("try again"))
            }
            unreadable.privateKey = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"
            #expect(try await ada.saveAppleMusic(unreadable).problem.code == "privateKeyUnreadable")
            #expect(try await setup.rows()["secrets"] == 0)
            // A text field of one line joins the lines of the key.
            var joined = key
            joined.privateKey = key.privateKey.replacing("\n", with: " ")
            let saved = try await ada.saveAppleMusic(joined)
            #expect(saved.status == 200, "\(saved.text)")
            let checklist = try await ada.setup()
            #expect(checklist.step("appleMusic")?.state == "complete" && checklist.completed == 0)
        }
    }

    @Test("Without the vault's key, all processes run, no key is saved, and saved keys have to be entered again")
    func vaultKey() async throws {
        try await SetupInstallation.run { setup in
            let ada = try await setup.base.addUser()
            #expect(try await ada.save("gemini", ["apiKey": Simulator.geminiKey]).status == 200)
            let path = setup.keyFile.path
            let key = try #require(FileManager.default.contents(atPath: path))
            try await setup.stop()
            try FileManager.default.removeItem(atPath: path)
            try await setup.start()
            #expect(!FileManager.default.fileExists(atPath: path))
            let lost = try #require(try await ada.setup().step("gemini"))
            #expect(lost.state == "needsAttention" && lost.reason == "vaultUnavailable")
            let refused = try await ada.save("gemini", ["apiKey": Simulator.geminiKey])
            #expect(refused.status == 503)
            #expect(try refused.problem.code == "vaultUnavailable")

            // This is not the key that sealed the secrets.
            let other = String(repeating: "5", count: 64)
            _ = FileManager.default.createFile(
                atPath: path, contents: Data(other.utf8), attributes: [.posixPermissions: 0o600])
            let strange = try await eventually("the workers' report") {
                let step = try #require(try await ada.setup().step("gemini"))
                return step.reason == "vaultKeyLost" ? step : nil
            }
            #expect(strange.state == "needsAttention")
            #expect(strange.recovery == "reconnect" && strange.maskedKey != nil)
            // With the key file restored, the step is complete without a restart.
            _ = FileManager.default.createFile(atPath: path, contents: key, attributes: [.posixPermissions: 0o600])
            try await eventually("the key's return") {
                try await ada.setup().step("gemini")?.state == "complete"
            }
        }
    }
}
