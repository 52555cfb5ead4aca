import Contracts
import Library
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs
@testable import Workers

@Suite("The files that a process reads at once")
struct ImportPlacesTests {
    @Test("There are two places, and each is given back")
    func places() {
        let places = ImportPlaces()
        for _ in 0..<3 {
            for _ in 0..<ImportPlaces.most { #expect(places.take()) }
            #expect(!places.take() && !places.take())
            for _ in 0..<ImportPlaces.most { places.giveBack() }
        }
    }

    @Test("An import beyond them is put off without an attempt, and one that has ended leaves its place")
    func handler() async throws {
        try await withDatabase { database, folder in
            let places = ImportPlaces()
            let handler = JobHandler.libraryImport(
                database: database, folder: ImportFolder(path: folder.file("imports")), importQuota: ImportQuota(),
                listenQuota: .init(listens: nil, bytes: nil), places: places)
            let payload = try TypedJobKind.libraryImport.text(
                ofPayload: LibraryImportPayload(importID: LibraryID(key: 1).text))
            let job = HandedJob(
                run: JobRun(jobID: "j", run: 1), userID: try await database.addPerson(), kind: "library.import",
                version: 1, attempt: 1, maximumAttempts: 5, priority: 0, payload: payload, person: nil)
            func run() async throws -> String {
                try await handler.run(JobContext(job: job, report: { _ in }, checkpoints: nil)).result
            }
            for _ in 0..<ImportPlaces.most { #expect(places.take()) }
            let failure = await #expect(throws: JobFailure.self) { _ = try await run() }
            guard case .postpone(let until)? = failure?.remedy else {
                Issue.record("The import is not put off.")
                return
            }
            #expect(failure?.code == "importWaits" && until.microseconds > 0)
            places.giveBack()
            // More often than there are places: nobody knows this import.
            for _ in 0..<3 { #expect(try await run().contains("gone")) }
        }
    }
}
