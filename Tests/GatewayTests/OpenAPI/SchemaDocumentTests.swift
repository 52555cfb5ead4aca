import Concerts
import Connections
import Contracts
import Foundation
import Model
import Storage
import Testing

@testable import Gateway

@Suite("docs/openapi.yaml and what is written and read")
struct SchemaDocumentTests {
    private func gatewaySources() throws -> String {
        let folder = OpenAPIDocument.repository.appending(path: "Sources/Gateway")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        #expect(files.count > 15)
        return try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    }

    @Test("every code of a problem is documented, and every documented code is in the code")
    func problemCodes() throws {
        let document = try OpenAPIDocument()
        let documented = try document.values("Problem", "properties/code")
        let written = try gatewaySources().matches(of: /code(?:: | = )"([A-Za-z]+)"/).map { String($0.1) }
        // An unknown artist is answered with notFound, like any unknown id.
        let ofLists: [ArtistListError] = [
            .listFull(limit: 1), .duplicateArtist(name: "", existing: "", rank: 1), .unknownArtist(id: ""),
            .invalidPosition(1, count: 0), .nameEmpty, .nameTooLong(length: 1, limit: 1),
            .nameHasControlCharacter(codePoint: 0),
        ]
        let inCode = Set(
            written + ofLists.map { Problem($0, field: nil).code } + VerificationResult.Code.allCases.map(\.rawValue)
                + AuthorizationVerdict.codes + GoogleSignInResult.Code.allCases.map(\.rawValue))
        #expect(documented.subtracting(inCode).sorted() == [], "nowhere in the code")
        #expect(inCode.subtracting(documented).sorted() == [], "not documented")
    }

    @Test("the page of Spotify has words for every code with which an attempt to connect can end")
    func wordsOfOutcomes() throws {
        let page = try String(
            contentsOf: OpenAPIDocument.repository
                .appending(path: "Services/api-gateway/Web/assets/setup/setup-spotify.js"), encoding: .utf8)
        let rows = try #require(page.split(separator: "const failures = {").last)
            .split(separator: "\n").prefix { $0 != "};" }
        let known = Set(rows.compactMap { $0.firstMatch(of: /^    ([A-Za-z]+):/).map { String($0.1) } })
        let routes = try String(
            contentsOf: OpenAPIDocument.repository.appending(path: "Sources/Gateway/Setup/SpotifyRoutes.swift"),
            encoding: .utf8)
        let ofRoutes = routes.matches(of: /"failed", (?:code: )?"([A-Za-z]+)"/).map { String($0.1) }
        #expect(ofRoutes.count >= 3)
        #expect(known == AuthorizationVerdict.codes.union(ofRoutes))
    }

    @Test("the codes that responses speak of are codes of problems")
    func responseCodes() throws {
        let document = try OpenAPIDocument()
        let codes = try document.values("Problem", "properties/code")
        var mentioned: Set<String> = []
        for (name, response) in try #require(document.value(at: "components/responses") as? [String: [String: Any]]) {
            let text = try #require(response["description"] as? String)
            let words = Set(text.matches(of: /`([a-z][A-Za-z]+)`/).map { String($0.1) })
            #expect(words.isSubset(of: codes), "\(name)")
            mentioned.formUnion(words)
        }
        // What every path may answer stands with no response of its own.
        #expect(codes.subtracting(mentioned).isSubset(of: ["noSuchEndpoint", "methodNotAllowed"]))
    }

    @Test("states, kinds and warnings are those of the code")
    func values() throws {
        let document = try OpenAPIDocument()
        #expect(try document.values("JobState") == Set(JobState.allCases.map(\.rawValue)))
        #expect(
            try document.values("NewJob", "properties/kind")
                == Set(JobKind.all.filter { $0.submitter == .user }.map(\.name)))
        #expect(
            try document.values("ConcertWarning", "properties/code") == Set(ConcertWarningCode.allCases.map(\.rawValue))
        )
        #expect(
            try document.values("Concert", "properties/extras/items/properties/kind")
                == Set(ConcertKind.allCases.map(\.rawValue)))
        for state in try document.values("ConcertSearch", "properties/state") {
            #expect(SearchOutcome.State(rawValue: state) != nil, "\(state)")
        }
        for status in try document.values("ConcertSearch", "properties/coverage/items/properties/status") {
            #expect(SearchOutcome.Coverage(rawValue: status) != nil, "\(status)")
        }
    }

    @Test("limits are those of the code")
    func limits() throws {
        let document = try OpenAPIDocument()
        func number(_ pointer: String) -> Int? { document.value(at: pointer) as? Int }
        #expect(number("components/schemas/NewJob/properties/priority/minimum") == JobPriority.submittable.lowerBound)
        #expect(number("components/schemas/NewJob/properties/priority/maximum") == JobPriority.submittable.upperBound)
        for list in ["ArtistNames", "SearchedArtistNames"] {
            #expect(number("components/schemas/\(list)/maxItems") == ArtistList.capacity)
        }
        #expect(number("components/schemas/ArtistName/maxLength") == ArtistName.maximumLength)
        let batch = try #require(
            try document.operations[.init(method: "POST", path: "/v1/jobs/batch")]?["requestBody"] as? [String: Any])
        var maximum: Int?
        OpenAPIDocument(root: batch).visit { object, place in
            if place.hasSuffix("properties/jobs") { maximum = object["maxItems"] as? Int }
        }
        #expect(maximum == JobRequest.maximumBatch)
        let nearby = try #require(
            try document.operations[.init(method: "GET", path: "/v1/concerts/nearby")]?["parameters"]
                as? [[String: Any]])
        let radius = try #require(nearby.first { $0["name"] as? String == "radius" }?["schema"] as? [String: Any])
        #expect(radius["minimum"] as? Int == ConcertSearches.radiusRange.lowerBound)
        #expect(radius["maximum"] as? Int == ConcertSearches.radiusRange.upperBound)
        #expect(radius["default"] as? Int == ConcertSearches.standardRadius)
    }
}
