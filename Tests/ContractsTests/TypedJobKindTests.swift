import Composition
import Concerts
import Connections
import Domains
import Foundation
import Model
import Testing

@testable import Contracts

@Suite("Typed kinds of jobs")
struct TypedJobKindTests {
    @Test("The JSON of results does not change")
    func jsonOfResults() throws {
        #expect(
            try TypedJobKind.concertsLookup.text(ofResult: ConcertLookupResult(artists: 3, events: 12))
                == #"{"artists":3,"events":12}"#)
        #expect(try TypedJobKind.concertsNearby.text(ofResult: NearbyLookupResult(events: 7)) == #"{"events":7}"#)
        let profile = SpotifyProfileResult(account: "Ann")
        #expect(try TypedJobKind.spotifyProfile.text(ofResult: profile) == #"{"account":"Ann"}"#)
        #expect(try TypedJobKind.spotifyAuthorize.text(ofResult: .connected) == #"{"isConnected":true}"#)
        let failed = AuthorizationVerdict(
            isConnected: false, code: "codeRefused", recovery: "reconnect", detail: "Again.", retryAt: 12)
        #expect(
            try TypedJobKind.spotifyAuthorize.text(ofResult: failed)
                == #"{"code":"codeRefused","detail":"Again.","isConnected":false,"recovery":"reconnect","retryAt":12}"#)
        #expect(
            try TypedJobKind.setupVerifyGemini.text(ofResult: .refused(code: .keyRefused, "No.", field: "apiKey"))
                == #"{"code":"keyRefused","detail":"No.","field":"apiKey","verdict":"refused"}"#)
    }

    @Test("Equal payloads have equal JSON, which decodes to them")
    func jsonOfPayloads() throws {
        let kind = TypedJobKind.concertsNearby
        let payload = NearbyLookupPayload(key: "k", city: "Zürich/City", cityKey: "zurich", radiusKm: 30)
        let text = try kind.text(ofPayload: payload)
        #expect(text == #"{"city":"Zürich\/City","cityKey":"zurich","key":"k","radiusKm":30}"#)
        #expect(try kind.payload(from: text, version: 1) == payload)
    }

    @Test(
        "An empty payload is encoded as {} and decoded from any object",
        arguments: ["{}", "[]", "null", "5", #"{"a":1}"#])
    func noPayload(text: String) throws {
        #expect(try TypedJobKind.spotifyProfile.text(ofPayload: NoPayload()) == "{}")
        #expect(try TypedJobKind.spotifyProfile.payload(from: text, version: 1) == NoPayload())
    }

    @Test("A payload that cannot be decoded is an error with kind and version")
    func unreadablePayload() throws {
        #expect(throws: JobCodingError.unreadablePayload(kind: "concerts.lookup", version: 4)) {
            try TypedJobKind.concertsLookup.payload(from: #"{"artists":1}"#, version: 4)
        }
        #expect(throws: JobCodingError.unreadableResult(kind: "concerts.lookup")) {
            try TypedJobKind.concertsLookup.result(from: "{}")
        }
        let kind = TypedJobKind<Double, Double>(
            JobKind(name: "test.number", version: 1, submitter: .system, maximumRunTime: .seconds(1)))
        #expect(throws: JobCodingError.unwritablePayload(kind: "test.number")) { try kind.text(ofPayload: .infinity) }
        #expect(throws: JobCodingError.unwritableResult(kind: "test.number")) { try kind.text(ofResult: .nan) }
    }

    @Test("The text of an echo is not parsed")
    func echoIsNotParsed() throws {
        let text = "{ \"b\" : 1,\n \"a\" : oh }"
        #expect(try TypedJobKind.diagnosticsEcho.payload(from: text, version: 1).text == text)
        #expect(try TypedJobKind.diagnosticsEcho.text(ofResult: JSONText(text)) == text)
    }

    @Test("Failed jobs of ephemeral kinds do not count as dead letters; those of removed kinds do")
    func deadLetters() {
        let search = JobKind(
            name: "test.search", version: 1, submitter: .system, maximumRunTime: .seconds(1), isEphemeral: true)
        let counts: [String: [JobState: Int]] = [
            "test.search": [.failed: 2], "test.earlier": [.failed: 3, .queued: 4], "diagnostics.echo": [.failed: 5],
        ]
        #expect(JobKinds([search, TypedJobKind.diagnosticsEcho.kind]).deadLetters(among: counts) == 8)
    }

    @Test("Every scope that a kind needs is in Backline's list of scopes")
    func scopesOfKinds() {
        let kinds = JobKinds(of: .all)
        for kind in kinds.all {
            #expect(SpotifyScopes.all.isSuperset(of: kind.scopes(at: .spotify)), "\(kind.name)")
            #expect(SpotifyScopes.needed(by: kinds).isSuperset(of: kind.scopes(at: .spotify)), "\(kind.name)")
        }
        let reading = JobKind(
            name: "test.reading", version: 1, submitter: .user, maximumRunTime: .seconds(1),
            needs: [.init(.spotify, scopes: ["one", "two"]), .init(.gemini, scopes: ["three"])])
        #expect(SpotifyScopes.needed(by: JobKinds([reading])) == SpotifyScopes.library.union(["one", "two"]))
        #expect(
            SpotifyScopes.missing(from: ["two", "four"] + SpotifyScopes.library, for: JobKinds([reading])) == ["one"])
        #expect(TypedJobKind.spotifyProfile.kind.scopes(at: .spotify) == ["user-read-private"])
        #expect(TypedJobKind.spotifyProfile.kind.scopes(at: .gemini) == [])
    }
}
