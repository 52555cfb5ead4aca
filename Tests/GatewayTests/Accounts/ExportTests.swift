import Accounts
import Composition
import Bootstrap
import Domains
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import AccountsHTTP
@testable import Gateway

@Suite("Exporting a person's data", .timeLimit(.minutes(5)))
struct ExportTests {
    @Test("The archive has every row of the person once, no row of another person, and no secret")
    func archiveOfAPerson() async throws {
        try await TestGateway.run { gateway in
            let person = try await PopulatedPerson(in: gateway)
            try await gateway.withClient { client in
                let response = try await client.execute(uri: "/v1/me/export", method: .get, headers: person.headers)
                #expect(response.headers[.contentDisposition]?.hasPrefix("attachment") == true)
                let text = String(buffer: response.body)
                let archive = try #require(
                    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
                for table in PersonalTables(of: .all).all {
                    guard case .rows(let member, _) = table.export else { continue }
                    let rows = try #require(archive[member.description] as? [[String: Any]])
                    let keys = Set(rows.map { "\($0["id"] ?? "")\($0["provider"] ?? "")\($0["key"] ?? "")" })
                    if member.description == "jobs" {
                        #expect(rows.count == PopulatedPerson.jobs && keys.count == rows.count)
                    }
                    #expect(!rows.isEmpty, "\(table.name)")
                }
                let profile = try #require((archive["profile"] as? [[String: Any]])?.first)
                #expect(profile["id"] as? String == person.id && profile["email"] as? String == PopulatedPerson.email)
                let hashes = try await gateway.database.read { reader in
                    try ["tokens", "sessions", "sign_in_links"].flatMap { table in
                        try reader.rows(SQL(stringLiteral: "SELECT hash FROM \(table)"))
                            .map { try $0["hash"] as String }
                    }
                }
                for secret in hashes + ["bl_", "bls_"] { #expect(!text.contains(secret)) }
                // The names of others are only where the person's own lists show them.
                let lists = ["following", "followers", "blocked", "followRequests", "receivedFollowRequests"]
                let rest = try JSONSerialization.data(withJSONObject: archive.filter { !lists.contains($0.key) })
                #expect(!String(decoding: rest, as: UTF8.self).contains("bob"))
            }
        }
    }

    @Test("An export pauses after each read: a cancelled one ends there")
    func cancelledExport() async throws {
        try await TestGateway.run { gateway in
            let person = try await PopulatedPerson(in: gateway)
            let archive = ExportRoutes(database: gateway.database, tables: PersonalTables(of: .all)).archive(
                of: person.id)
            let writer = CollectingWriter()
            await #expect(throws: CancellationError.self) {
                try await withCancelledTask { try await archive.write(writer) }
            }
            #expect(!writer.bytes.isEmpty)
        }
    }

    @Test("Large jobs are read and sent a few at a time")
    func exportInParts() async throws {
        try await TestGateway.run { gateway in
            let token = try await gateway.addUser("ada")
            let id = try #require(try await Accounts(database: gateway.database).user(for: token)).id
            let payload = #"{"text":"\#(String(repeating: "x", count: 200 << 10))"}"#
            var ids: [String] = []
            for index in 0..<23 {
                let job = sampleJob(UUIDv7.next(), id, payload: index % 2 == 0 ? payload : "{}", .now())
                try await gateway.database.write { try $0.jobs.insert(job) }
                ids.append(job.id)
            }
            let writer = CollectingWriter()
            try await ExportRoutes(database: gateway.database, tables: PersonalTables(of: .all)).archive(of: id).write(
                writer)
            let archive = try #require(
                try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any])
            let jobs = try #require(archive["jobs"] as? [[String: Any]])
            #expect(jobs.map { $0["id"] as? String } == ids)
            // A part contains jobs up to the byte limit, and the job that exceeds it.
            #expect(writer.largestPart < 512 << 10)
        }
    }
}
