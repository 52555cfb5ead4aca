import Contracts
import Testing

@testable import Gateway

@Suite("Progress in the API")
struct JobProgressJSONTests {
    private func json(_ progress: JobProgress) -> String {
        String(decoding: JSONWriter.object { progress.writeMembers(to: &$0) }, as: UTF8.self)
    }

    @Test("Phase and counts are shown if they are set, and done and total always")
    func membersOfProgress() {
        #expect(json(JobProgress(done: 3, total: 20)) == #"{"done":3,"total":20}"#)
        #expect(
            json(JobProgress(phase: "reading", done: 3, total: 20, counts: ["tracks": 120, "albums": -7]))
                == #"{"phase":"reading","done":3,"total":20,"counts":{"albums":-7,"tracks":120}}"#)
    }
}
