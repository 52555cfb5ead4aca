import Contracts
import Model
import Testing

@testable import Jobs

@Suite("Successes that share an entry")
struct SuccessBatchTests {
    private func success(_ id: String, result: String = "{}") -> SuccessBatch.Success {
        SuccessBatch.Success(run: FinishingRun(unbegun: .sample(id)), result: result)
    }

    @Test("A batch that is being written accepts no more runs, so that a repeated write is the same")
    func batchBeingWritten() {
        let batch = SuccessBatch(success("a"))
        #expect(batch.add(success("b")))
        #expect(batch.seal().map(\.run.job.run.jobID) == ["a", "b"])
        #expect(!batch.add(success("c")))
        #expect(batch.seal().map(\.run.job.run.jobID) == ["a", "b"])
    }

    @Test("A batch is full at a number of runs that bounds how long it holds the write lock")
    func sizeOfABatch() {
        let batch = SuccessBatch(success("0"))
        for number in 1..<SuccessBatch.maximumCount { #expect(batch.add(success("\(number)"))) }
        #expect(!batch.add(success("one more")))
    }

    @Test("A batch can also be full with few large results")
    func fullOfBytes() {
        let large = String(repeating: "x", count: SuccessBatch.maximumBytes / 4)
        let batch = SuccessBatch(success("0", result: large))
        for number in 1..<4 { #expect(batch.add(success("\(number)", result: large))) }
        #expect(!batch.add(success("one more")))
        // A single result that is larger is accepted.
        let larger = SuccessBatch(success("0", result: String(repeating: "x", count: 2 * SuccessBatch.maximumBytes)))
        #expect(larger.seal().count == 1)
    }
}
