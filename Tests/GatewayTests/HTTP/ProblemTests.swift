import Accounts
import Concerts
import Foundation
import HTTPTypes
import Hummingbird
import Jobs
import Model
import NIOCore
import Storage
import Testing

@testable import ConcertsHTTP
@testable import Gateway

@Suite("Problems")
struct ProblemTests {
    private struct UnexpectedError: Error {
        var secret = "the path /home/ada"
    }

    /// The response to an error that is thrown below the middleware.
    private func answer(to error: any Error, _ request: Request = Request(.post, "/v1/jobs")) async throws -> Response {
        try await ProblemMiddleware().handle(request, context: .from()) { _, _ in throw error }
    }

    private func body(_ response: Response) async throws -> [String: Any] {
        let writer = CollectingWriter()
        try await response.body.write(writer)
        let bytes = writer.bytes
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test("A problem has the members of RFC 9457, a code, and the field where there is one")
    func membersOfAProblem() async throws {
        let problem = Problem(
            .unprocessableContent, code: .invalidField, title: "T", detail: "D \"quoted\"\n", field: "$.a",
            retryAfter: 7)
        let response = problem.response()
        #expect(response.status == .unprocessableContent)
        #expect(response.headers[.contentType] == "application/problem+json")
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.headers[.retryAfter] == "7")
        #expect(response.headers[.allow] == nil && response.headers[.wwwAuthenticate] == nil)
        let members = try await body(response)
        #expect(members.keys.sorted() == ["code", "detail", "field", "status", "title", "type"])
        #expect(members["type"] as? String == "about:blank")
        #expect(members["title"] as? String == "T")
        #expect(members["status"] as? Int == 422)
        #expect(members["code"] as? String == "invalidField")
        #expect(members["detail"] as? String == "D \"quoted\"\n")
        #expect(members["field"] as? String == "$.a")
        let bare = Problem.notFound("job").response()
        #expect(try await body(bare)["field"] == nil)
        #expect(bare.headers[.retryAfter] == nil)
        #expect(Problem.unauthorized.response().headers[.wwwAuthenticate] == "Bearer")
    }

    @Test("Each error maps to its problem")
    func problemsOfErrors() async throws {
        let cases: [(any Error, Int, String)] = [
            (Problem.conflict(code: .notFailed, "…"), 409, "notFailed"),
            (Problem.unauthorized, 401, "unauthorized"),
            (SubmissionError.uniqueKeyReused(jobID: "1"), 422, "uniqueKeyReused"),
            (SubmissionError.idempotencyKeyReused, 422, "idempotencyKeyReused"),
            (StorageError.busy(holder: 7), 503, "storageBusy"),
            (StorageError.diskFull, 503, "storageFull"),
            (StorageError.readOnly, 503, "storageReadOnly"),
            (StorageError.tooManyFiles, 503, "storageFailed"),
            (StorageError.outOfMemory, 503, "storageFailed"),
            (StorageError.corrupt("page 7"), 500, "storageCorrupt"),
            (StorageError.closed, 503, "storageFailed"),
            (HTTPError(.notFound), 404, "noSuchEndpoint"),
            (HTTPError(.badRequest), 500, "internalError"),
            (CancellationError(), 500, "internalError"),
            (UnexpectedError(), 500, "internalError"),
        ]
        for (error, status, code) in cases {
            let response = try await answer(to: error)
            #expect(response.status.code == status, "\(error)")
            #expect((response.headers[.retryAfter] != nil) == (status == 503))
            let members = try await body(response)
            #expect(members["code"] as? String == code)
            #expect(members["status"] as? Int == status)
            #expect((members["detail"] as? String)?.isEmpty == false)
        }
    }

    @Test("Only administrators see paths and process ids in problems of the database")
    func storageDetails() async throws {
        let errors: [(StorageError, String)] = [
            (.busy(holder: 4_711), "4711"), (.cannotOpen(path: "/srv/music.sqlite", reason: "no"), "/srv"),
            (.corrupt("/srv/music.sqlite: page 7"), "/srv"),
        ]
        for (error, detail) in errors {
            for isAdmin in [nil, false, true] {
                let context = try GatewayContext.from()
                let response = try await ProblemMiddleware().handle(Request(), context: context) { _, inner in
                    // The authentication middleware also changes a copy of the context.
                    var inner = inner
                    inner.user = isAdmin.map { UserRecord(id: "u", name: "u", isAdmin: $0, createdAt: .now()) }
                    throw error
                }
                let text = try #require(try await body(response)["detail"] as? String)
                #expect(text.contains(detail) == (isAdmin == true), "\(error), \(String(describing: isAdmin))")
            }
        }
    }

    @Test("The problem of a value of the wrong type names the column and the types, but not the value")
    func rowValues() async throws {
        try await TestGateway.run { gateway in
            let error = await #expect(throws: StorageError.self) {
                try await gateway.database.read { reader in
                    let row = try #require(try reader.row("SELECT 'hunter2' AS push_token"))
                    let _: Int = try row["push_token"]
                }
            }
            let found = try #require(error)
            let detail = try #require(try await body(try await answer(to: found))["detail"] as? String)
            for text in [detail, "\(found)", String(reflecting: found)] {
                #expect(text.contains("push_token") && text.contains("Int") && !text.contains("hunter2"), "\(text)")
            }
        }
    }

    @Test("The problem of a quota begins with the key that sets it", arguments: Quota.allCases)
    func keyOfAQuota(quota: Quota) async throws {
        let response = try await answer(to: QuotaReached(quota, limit: 17, used: 16, asked: 3))
        #expect(response.status == .tooManyRequests)
        let problem = try await body(response)
        let detail = try #require(problem["detail"] as? String)
        #expect(problem["code"] as? String == "quotaReached")
        #expect(detail.hasPrefix("quotas.\(quota.rawValue) allows each person 17 ") && detail.contains("16"))
    }

    @Test("An unexpected error's text stays in the log")
    func unexpectedErrors() async throws {
        let members = try await body(try await answer(to: UnexpectedError()))
        #expect(try #require(members["detail"] as? String).contains("ada") == false)
    }

    @Test("A response passes unchanged")
    func unchangedResponses() async throws {
        let response = try await ProblemMiddleware().handle(Request(), context: .from()) { _, _ in
            Response(status: .noContent)
        }
        #expect(response.status == .noContent)
    }

    @Test("Each error of an artist list maps to its problem")
    func problemsOfArtistLists() {
        let cases: [(ArtistListError, HTTPResponse.Status, ProblemCode)] = [
            (.unknownArtist(id: "x"), .notFound, .notFound), (.listFull(limit: 20), .conflict, .listFull),
            (.duplicateArtist(name: "a", existing: "A", rank: 1), .conflict, .duplicateArtist),
            (.invalidPosition(9, count: 2), .unprocessableContent, .invalidPosition),
            (.nameEmpty, .unprocessableContent, .nameEmpty),
            (.nameTooLong(length: 300, limit: 200), .unprocessableContent, .nameTooLong),
            (.nameHasControlCharacter(codePoint: 0), .unprocessableContent, .nameHasControlCharacter),
        ]
        for (error, status, code) in cases {
            let problem = Problem(error, field: nil)
            #expect(problem.status == status && problem.code == code)
        }
    }
}
