import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Gateway

@Suite("Requests repeated with an idempotency key after their jobs were deleted", .timeLimit(.minutes(5)))
struct RepeatedRequestTests {
    private struct Batch: Decodable {
        struct Job: Decodable { var id: String }
        struct DeletedJob: Decodable, Equatable {
            var index: Int
            var id: String
        }
        var jobs: [Job]
        var gone: [DeletedJob]?
    }

    private struct SubmissionAnswer: Decodable { var id: String }

    private func repeating(_ headers: HTTPFields) throws -> HTTPFields {
        var headers = headers
        headers[try #require(HTTPField.Name("Idempotency-Key"))] = "key"
        return headers
    }

    private func delete(_ id: String, from gateway: TestGateway) async throws {
        try await gateway.database.write { try $0.run("DELETE FROM jobs WHERE id = \(id)") }
    }

    @Test("The answer to a batch lists deleted jobs by index; when all are deleted, the request is a new one")
    func repeatedBatch() async throws {
        try await TestGateway.run { gateway in
            let headers = try repeating(try await gateway.authorization())
            let kind = #"{"kind":"diagnostics.echo"}"#
            let body = ByteBuffer(string: #"{"jobs":[\#(kind),\#(kind),\#(kind)]}"#)
            try await gateway.withClient { client in
                func submit() async throws -> Batch {
                    let response = try await client.execute(
                        uri: "/v1/jobs/batch", method: .post, headers: headers, body: body)
                    #expect(response.status == .accepted)
                    return try JSONDecoder().decode(Batch.self, from: Data(response.body.readableBytesView))
                }
                let first = try await submit()
                let ids = first.jobs.map(\.id)
                #expect(ids.count == 3 && first.gone == nil)
                try await delete(ids[1], from: gateway)
                let again = try await submit()
                #expect(again.jobs.map(\.id) == [ids[0], ids[2]])
                #expect(again.gone == [.init(index: 1, id: ids[1])])
                for id in ids { try await delete(id, from: gateway) }
                let new = try await submit()
                #expect(new.jobs.count == 3 && new.gone == nil && Set(new.jobs.map(\.id)).isDisjoint(with: ids))
            }
        }
    }

    @Test("A deleted job or search is created again, and the answer is never 404")
    func repeatedSubmission() async throws {
        try await TestGateway.run { gateway in
            let headers = try repeating(try await gateway.authorization())
            try await gateway.withClient { client in
                func submit(_ path: String, _ body: String) async throws -> String {
                    let response = try await client.execute(
                        uri: path, method: .post, headers: headers, body: ByteBuffer(string: body))
                    #expect(response.status == .accepted)
                    return try JSONDecoder().decode(SubmissionAnswer.self, from: Data(response.body.readableBytesView))
                        .id
                }
                let job = try await submit("/v1/jobs", #"{"kind":"diagnostics.echo"}"#)
                try await delete(job, from: gateway)
                #expect(try await submit("/v1/jobs", #"{"kind":"diagnostics.echo"}"#) != job)
                try await gateway.database.write { try $0.run("DELETE FROM idempotency_keys") }

                let search = try await submit("/v1/concert-searches", #"{"artists":["Coldplay"]}"#)
                try await gateway.database.write { transaction in
                    try transaction.run("DELETE FROM concert_search_subjects WHERE search_id = \(search)")
                    try transaction.run("DELETE FROM concert_searches WHERE id = \(search)")
                }
                #expect(try await submit("/v1/concert-searches", #"{"artists":["Coldplay"]}"#) != search)
            }
        }
    }
}
