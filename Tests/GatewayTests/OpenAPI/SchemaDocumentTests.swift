import Concerts
import Contracts
import Foundation
import LinkedAccounts
import Model
import Storage
import Testing

@testable import Gateway

@Suite("docs/openapi.yaml: schemas, codes and limits")
struct SchemaDocumentTests {
    /// The text of every file below a folder of the package, by its path within that folder.
    private func texts(below folder: String, extension type: String) throws -> [String: String] {
        let root = OpenAPIDocument.repository.appending(path: folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix("." + type) }
        return try Dictionary(
            uniqueKeysWithValues: paths.map {
                ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8))
            })
    }

    private static let assets = "Services/api-gateway/Web/assets"

    /// The codes for which a module of the pages has texts: the keys of its table, one on each line.
    private func wordedCodes(_ module: String) throws -> Set<String> {
        let text = try #require(try texts(below: Self.assets, extension: "js")[module])
        return Set(text.matches(of: /^ {4}([A-Za-z]+):\s/.anchorsMatchLineEndings()).map { String($0.1) })
    }

    @Test("Every problem code is documented, and the gateway uses every code of its list")
    func problemCodes() throws {
        let list = Set(ProblemCode.allCases.map(\.rawValue))
        #expect(try OpenAPIDocument().values("Problem", "properties/code") == list)
        let sources = try texts(below: "Sources/Gateway", extension: "swift")
        let text = sources.filter { $0.key != "HTTP/ProblemCode.swift" }.values.joined()
        let used = Set(text.matches(of: /\.([a-z][A-Za-z]+)/).map { String($0.1) })
        let reported = Set(
            VerificationResult.Code.allCases.map(\.rawValue) + GoogleSignInResult.Code.allCases.map(\.rawValue)
        ).union(AuthorizationVerdict.codes)
        #expect(list.subtracting(used).subtracting(reported) == [])
        for code in reported { #expect(ProblemCode(reported: code).rawValue == code) }
        #expect(ProblemCode(reported: "ofALaterVersion") == .noVerdict && ProblemCode(reported: nil) == .noVerdict)
    }

    @Test("The pages use no code that is missing from the list")
    func codesOfPages() throws {
        let list = Set(ProblemCode.allCases.map(\.rawValue))
        let modules = try texts(below: Self.assets, extension: "js")
        let compared = modules.values.joined().matches(of: /\.code [!=]== "([A-Za-z]+)"/).map { String($0.1) }
        #expect(compared.count >= 2 && list.isSuperset(of: compared))
        let tables = modules.keys.filter { $0.hasSuffix("-problems.js") }
        #expect(tables.count >= 2)
        for table in tables { #expect(try wordedCodes(table).subtracting(list) == [], "\(table)") }
    }

    @Test("The pages have texts for every code of a failed sign-in or connection, and for every warning")
    func wordsOfOutcomes() throws {
        let routes = try texts(below: "Sources/Gateway", extension: "swift")
        let spotify = try #require(routes["Setup/SpotifyRoutes.swift"])
        let ofSpotify = spotify.matches(of: /"failed", (?:code: )?\.([A-Za-z]+)/).map { String($0.1) }
        #expect(ofSpotify.count >= 3)
        #expect(try wordedCodes("setup/spotify-problems.js") == AuthorizationVerdict.codes.union(ofSpotify))

        let google = try wordedCodes("accounts/google-problems.js")
        // All errors of an ID token have one text.
        let reported = GoogleSignInResult.Code.allCases.map(\.rawValue).filter { !$0.hasPrefix("idToken") }
        #expect(Set(reported).subtracting(google) == [])
        let storage = ProblemCode.allCases.map(\.rawValue).filter { $0.hasPrefix("storage") }
        #expect(Set(storage).subtracting(google) == [])

        let warnings = try wordedCodes("concerts/search-warning-text.js")
        #expect(warnings == Set(ConcertWarningCode.allCases.map(\.rawValue)))
    }

    @Test("The codes in the descriptions of responses are codes of the list")
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
        // Codes that every path may return are not in any response.
        #expect(codes.subtracting(mentioned).isSubset(of: ["noSuchEndpoint", "methodNotAllowed"]))
    }

    @Test("States, kinds and warnings match the code")
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

    @Test("Limits match the code")
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
