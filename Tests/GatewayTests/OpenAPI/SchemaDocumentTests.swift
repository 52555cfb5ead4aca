import Accounts
import Composition
import Concerts
import Contracts
import Domains
import Foundation
import Connections
import Model
import Storage
import TestSupport
import Testing

@testable import ConnectionsHTTP
@testable import Gateway

@Suite("docs/openapi.yaml: schemas, codes and limits")
struct SchemaDocumentTests {
    /// The text of every file below a folder of the package, by its path within that folder.
    private func texts(below folder: String, extension type: String) throws -> [String: String] {
        let root = Repository.url.appending(path: folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix("." + type) }
        return try Dictionary(
            uniqueKeysWithValues: paths.map {
                ($0, try String(contentsOf: root.appending(path: $0), encoding: .utf8))
            })
    }

    /// The source files of the gateway: those of its edge, and those of the domains' HTTP targets.
    private func gatewaySources() throws -> [String: String] {
        let domains = try texts(below: "Sources/Domains", extension: "swift").filter { $0.key.contains("/HTTP/") }
        return try texts(below: "Sources/Gateway", extension: "swift").merging(domains) { edge, _ in edge }
    }

    private static let assets = "Services/api-gateway/Web/assets"

    /// The codes for which a module of the pages has texts: the keys of its table, one on each line.
    private func wordedCodes(_ module: String) throws -> Set<String> {
        let text = try #require(try texts(below: Self.assets, extension: "js")[module])
        return Set(text.matches(of: /^ {4}([A-Za-z]+):\s/.anchorsMatchLineEndings()).map { String($0.1) })
    }

    @Test("Every problem code is documented, and the gateway uses every code of its list")
    func problemCodes() throws {
        let list = Set([ProblemCode].all.map(\.rawValue))
        #expect(list.count == [ProblemCode].all.count, "Every code has one owner.")
        #expect(try OpenAPIDocument().values("Problem", "properties/code") == list)
        let sources = try gatewaySources()
        let isDeclaration: (String) -> Bool = {
            $0.split(separator: "/").last?.hasPrefix("ProblemCode") ?? false
        }
        let declarations = sources.filter { isDeclaration($0.key) }.values.joined()
        #expect(Set(declarations.matches(of: /= ProblemCode\("([A-Za-z]+)"\)/).map { String($0.1) }) == list)
        let text = sources.filter { !isDeclaration($0.key) }.values.joined()
        let used = Set(text.matches(of: /\.([a-z][A-Za-z]+)/).map { String($0.1) })
        let reported: [(codes: Set<String>, owner: [ProblemCode])] = [
            (Set(GoogleSignInResult.Code.allCases.map(\.rawValue)), ProblemCode.accounts),
            (
                AuthorizationVerdict.codes.union(VerificationResult.Code.allCases.map(\.rawValue)),
                ProblemCode.connections
            ),
            // Kinds of failures without a code of their own are `noVerdict`.
            (
                list.intersection(ProviderFailure.Kind.allCases.map(\.rawValue)).union([
                    "spotifyNotConnected", "appleMusicNotConnected", "appleMusicNotConfigured",
                ]), ProblemCode.catalog
            ),
        ]
        #expect(reported.reduce(list.subtracting(used)) { $0.subtracting($1.codes) } == [])
        for (codes, owner) in reported {
            for code in codes { #expect(ProblemCode(reported: code, among: owner).rawValue == code) }
            #expect(ProblemCode(reported: "ofALaterVersion", among: owner) == .noVerdict)
            #expect(ProblemCode(reported: nil, among: owner) == .noVerdict)
        }
    }

    @Test("The pages use no code that is missing from the list")
    func codesOfPages() throws {
        let list = Set([ProblemCode].all.map(\.rawValue))
        let modules = try texts(below: Self.assets, extension: "js")
        let compared = modules.values.joined().matches(of: /\.code [!=]== "([A-Za-z]+)"/).map { String($0.1) }
        #expect(compared.count >= 2 && list.isSuperset(of: compared))
        let tables = modules.keys.filter { $0.hasSuffix("-problems.js") }
        #expect(tables.count >= 2)
        for table in tables { #expect(try wordedCodes(table).subtracting(list) == [], "\(table)") }
    }

    @Test("The pages have texts for every code of a failed sign-in or connection, and for every warning")
    func wordsOfOutcomes() throws {
        let spotify = try #require(try gatewaySources()["Connections/HTTP/SpotifyRoutes.swift"])
        let ofSpotify = spotify.matches(of: /"failed", (?:code: )?\.([A-Za-z]+)/).map { String($0.1) }
        #expect(ofSpotify.count >= 3)
        #expect(try wordedCodes("connections/spotify-problems.js") == AuthorizationVerdict.codes.union(ofSpotify))

        let google = try wordedCodes("accounts/google-problems.js")
        // All errors of an ID token have one text.
        let reported = GoogleSignInResult.Code.allCases.map(\.rawValue).filter { !$0.hasPrefix("idToken") }
        #expect(Set(reported).subtracting(google) == [])
        let storage = [ProblemCode].all.map(\.rawValue).filter { $0.hasPrefix("storage") }
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
        // Codes that every path may return are not in any response, and neither are those of what a feed lacks.
        let others: Set = ["noSuchEndpoint", "methodNotAllowed", "feedSourceFailed", "releaseServiceMissing"]
        #expect(codes.subtracting(mentioned).isSubset(of: others))
    }

    @Test("States, kinds and warnings match the code")
    func valuesMatchTheCode() throws {
        let document = try OpenAPIDocument()
        #expect(try document.values("JobState") == Set(JobState.allCases.map(\.rawValue)))
        #expect(
            try document.values("NewJob", "properties/kind")
                == Set(JobKinds(of: .all).submittable.map(\.name)))
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
    func limitsMatchTheCode() throws {
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
