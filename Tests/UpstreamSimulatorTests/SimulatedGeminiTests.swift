import Foundation
import TestSupport
import Testing

@testable import UpstreamSimulator

/// The list of models, and the errors of keys.
@Suite("The simulated Gemini")
struct SimulatedGeminiTests {
    private static let recorded = RecordedPayloads.gemini
    private static let path = "/gemini/v1beta/models"

    private func models(
        _ server: RunningSimulator, _ query: String = "", key: String? = "demo-gemini-key", headers: [String] = []
    ) async throws -> RawResponse {
        let key = key.map { ["x-goog-api-key: " + $0] } ?? []
        return try await server.send("GET", Self.path + query, headers: key + headers)
    }

    private func status(_ answer: RawResponse) -> String? { answer.json?.path("error", "status") as? String }
    private func message(_ answer: RawResponse) -> String { answer.json?.path("error", "message") as? String ?? "" }

    private func details(_ answer: RawResponse) -> [[String: Any]] {
        answer.json?.path("error", "details") as? [[String: Any]] ?? []
    }

    @Test("A key works in the header and in the query, and the list has models with and without text output")
    func listOfModels() async throws {
        try await withSimulator { server in
            for answer in [
                try await models(server), try await models(server, "?key=demo-gemini-key", key: nil),
            ] {
                #expect(answer.status == 200)
                let models = try #require(answer.json?["models"] as? [[String: Any]])
                let methods = models.map { $0["supportedGenerationMethods"] as? [String] ?? [] }
                #expect(methods.contains { $0.contains("generateContent") })
                #expect(methods.contains { !$0.contains("generateContent") })
                #expect(models.allSatisfy { ($0["name"] as? String)?.hasPrefix("models/") == true })
                #expect(answer.json?["nextPageToken"] == nil)
            }
            let arrivals = try await server.send("GET", "/_sim/gemini/arrivals").text
            #expect(arrivals.contains("GET " + Self.path) && !arrivals.contains("demo-gemini-key"))
        }
    }

    @Test("Pages have the requested length, and their tokens cover the whole list once")
    func pagesOfModels() async throws {
        try await withSimulator { server in
            var names: [String] = []
            var token: String?
            repeat {
                let answer = try await models(server, "?pageSize=5" + (token.map { "&pageToken=" + $0 } ?? ""))
                let page = try #require(answer.json?["models"] as? [[String: Any]])
                #expect((1...5).contains(page.count))
                names += page.compactMap { $0["name"] as? String }
                token = answer.json?["nextPageToken"] as? String
            } while token != nil
            #expect(names.count == GeminiModel.all.count && Set(names).count == names.count)
            #expect((try await models(server, "?pageSize=1").json?["models"] as? [Any])?.count == 1)
            for query in ["?pageSize=-1", "?pageSize=many", "?pageToken=page-999", "?pageToken=x"] {
                let answer = try await models(server, query)
                #expect(answer.status == 400 && status(answer) == "INVALID_ARGUMENT", "\(query)")
            }
            #expect(try await models(server, "?pageSize=5000").status == 200)
        }
    }

    @Test("A known model is found, an unknown one is not")
    func singleModel() async throws {
        try await withSimulator { server in
            let known = try await models(server, "/gemini-3.5-flash")
            #expect(known.json?["name"] as? String == "models/gemini-3.5-flash")
            let unknown = try await models(server, "/gemini-5.0-flash")
            #expect(unknown.status == 404 && status(unknown) == "NOT_FOUND")
            #expect(message(unknown).hasPrefix("models/gemini-5.0-flash is not found for API version v1beta"))
        }
    }

    @Test("Keys that are wrong, expired, from a project without the API or from a wrong country have their own errors")
    func refusedKeys() async throws {
        try await withSimulator { server in
            let keys = #"{"old": "expired", "off": "serviceDisabled", "far": "locationUnsupported"}"#
            let ordered = try await server.send("POST", "/_sim/gemini/config", body: #"{"keys": \#(keys)}"#)
            try #require(ordered.status == 200, "\(ordered.text)")

            let wrong = try await models(server)
            #expect(wrong.status == 400 && status(wrong) == "INVALID_ARGUMENT")
            #expect(message(wrong) == "API key not valid. Please pass a valid API key.")
            #expect(details(wrong).first?["reason"] as? String == "API_KEY_INVALID")
            #expect(wrong.text.contains("demo-gemini-key"), "the recorded one also repeats the key")

            let expired = try await models(server, key: "old")
            #expect(expired.status == 400 && message(expired).hasPrefix("API key expired"))
            #expect(details(expired).first?["reason"] as? String == "API_KEY_INVALID")

            let disabled = try await models(server, key: "off")
            #expect(disabled.status == 403 && status(disabled) == "PERMISSION_DENIED")
            #expect(details(disabled).first?["reason"] as? String == "SERVICE_DISABLED")

            let location = try await models(server, key: "far")
            #expect(location.status == 400 && status(location) == "FAILED_PRECONDITION")
            #expect(message(location) == "User location is not supported for the API use.")
        }
    }

    @Test("No key, an access token instead of one, and both together have different errors")
    func missingCredentials() async throws {
        try await withSimulator { server in
            let none = try await models(server, key: nil)
            #expect(none.status == 403 && status(none) == "PERMISSION_DENIED")
            let token = try await models(server, key: nil, headers: ["Authorization: Bearer x"])
            #expect(token.status == 401 && status(token) == "UNAUTHENTICATED")
            let both = try await models(server, headers: ["Authorization: Bearer x"])
            #expect(both.status == 400 && message(both).hasPrefix("Multiple authentication credentials received"))
        }
    }

    @Test("The quotas per minute and per day differ in quotaId, and a 429 may have no details")
    func exceededQuotas() async throws {
        try await withSimulator { server in
            for (fault, part) in [("perMinute429", "PerMinute"), ("perDay429", "PerDay")] {
                try await server.send(
                    "POST", "/_sim/gemini/faults", body: #"{"fault": "\#(fault)", "times": 1, "retryAfter": 7}"#)
                let answer = try await models(server)
                #expect(answer.status == 429 && status(answer) == "RESOURCE_EXHAUSTED")
                let violations = details(answer).first?["violations"] as? [[String: Any]]
                #expect((violations?.first?["quotaId"] as? String)?.contains(part) == true)
                #expect(details(answer).last?["retryDelay"] as? String == "7.5s")
                #expect(answer.headers["retry-after"] == nil)
            }
            try await server.send("POST", "/_sim/gemini/faults", body: #"{"fault": "limit429", "times": 1}"#)
            let bare = try await models(server)
            #expect(bare.status == 429 && details(bare).isEmpty)
        }
    }

    @Test(
        "Other failures have their recorded form",
        arguments: [
            ("overloaded503", 503, "UNAVAILABLE"), ("serviceDisabled", 403, "PERMISSION_DENIED"),
            ("locationUnsupported", 400, "FAILED_PRECONDITION"), ("tokenTypeUnsupported", 401, "UNAUTHENTICATED"),
        ])
    func otherFailures(fault: String, code: Int, name: String) async throws {
        try await withSimulator { server in
            try await server.send("POST", "/_sim/gemini/faults", body: #"{"fault": "\#(fault)", "times": 1}"#)
            let answer = try await models(server)
            #expect(answer.status == code && status(answer) == name)
            #expect(try await models(server).status == 200)
            try await server.send("POST", "/_sim/gemini/faults", body: #"{"fault": "status502", "times": 1}"#)
            let page = try await models(server)
            #expect(page.status == 502 && page.text.hasPrefix("<!DOCTYPE html>"))
        }
    }

    @Test(
        "Refusals have the members of the recorded ones",
        .enabled(if: recorded.areAvailable, Comment(rawValue: RecordedPayloads.missing)))
    func shapesOfRefusals() async throws {
        try await withSimulator { server in
            let wrong = try #require(try await models(server, key: "key1234").json) as NSDictionary
            #expect(wrong == (try Self.recorded.json("googleai_unary-failure-api-key.json") as? NSDictionary))
            var quota = Shape(try Self.recorded.json("vertexai_unary-failure-quota-exceeded.json"))
            // This was recorded from a related service, whose details have another form.
            for path in quota.leaves.keys where path.contains("details[].") && !path.hasSuffix("@type") {
                quota.remove(path)
            }
            try await server.send("POST", "/_sim/gemini/faults", body: #"{"fault": "perDay429", "times": 1}"#)
            let simulated = Shape(try #require(try await models(server).json))
            #expect(Set(simulated.leaves.keys).isSuperset(of: quota.leaves.keys))
        }
    }
}
