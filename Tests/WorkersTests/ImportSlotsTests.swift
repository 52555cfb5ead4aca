import Contracts
import LibraryImports
import Model
import Storage
import TestSupport
import Testing

@testable import Jobs
@testable import LibraryWorker

@Suite("The files that a process reads at once")
struct ImportSlotsTests {
    @Test("There are two slots, and each is released")
    func twoSlots() {
        let slots = ImportSlots()
        for _ in 0..<3 {
            for _ in 0..<ImportSlots.most { #expect(slots.acquire()) }
            #expect(!slots.acquire() && !slots.acquire())
            for _ in 0..<ImportSlots.most { slots.release() }
        }
    }

    @Test("An import without a slot is postponed without an attempt, and one that has ended frees its slot")
    func importWithoutASlot() async throws {
        try await withDatabase { database, folder in
            let slots = ImportSlots()
            let handler = JobHandler.libraryImport(
                database: database, folder: ImportFolder(path: folder.file("imports")), quota: ImportQuota(),
                slots: slots)
            let payload = try TypedJobKind.libraryImport.text(
                ofPayload: LibraryImportPayload(importID: LibraryID(key: 1).text))
            let job = AssignedJob(
                run: JobRun(jobID: "j", run: 1), userID: try await database.addPerson(), kind: "library.import",
                version: 1, attempt: 1, maximumAttempts: 5, priority: 0, payload: payload, person: nil)
            func run() async throws -> String {
                try await handler.run(JobContext(job: job, report: { _ in }, checkpoints: nil)).result
            }
            for _ in 0..<ImportSlots.most { #expect(slots.acquire()) }
            let failure = await #expect(throws: JobFailure.self) { _ = try await run() }
            guard case .postpone(let until)? = failure?.remedy else {
                Issue.record("The import was not postponed.")
                return
            }
            #expect(failure?.code == "importWaits" && until.microseconds > 0)
            slots.release()
            // More imports than there are slots: all of them are unknown.
            for _ in 0..<3 { #expect(try await run().contains("gone")) }
        }
    }
}
