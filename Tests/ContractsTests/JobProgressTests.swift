import Model
import Testing

@testable import Contracts

@Suite("Progress of jobs")
struct JobProgressTests {
    private let run = JobRun(jobID: "j", run: 3)

    @Test("Phase, numbers and counts are encoded and decoded")
    func roundTrip() throws {
        for progress in [
            JobProgress(phase: "reading", done: 2, total: 9, counts: ["tracks": 120, "albums": 7]),
            JobProgress(done: 0, total: 0),
        ] {
            let frame = WorkerMessage.progress([RunProgress(run: run, progress)]).encoded()
            #expect(try WorkerMessage(decoding: frame) == .progress([RunProgress(run: run, progress)]))
        }
    }

    @Test("Names and counts beyond the limits are left out when progress is reported")
    func valuesBeyondTheLimits() {
        let longest = String(repeating: "a", count: JobProgress.maximumNameBytes)
        #expect(JobProgress(phase: longest, done: 0, total: 0).phase == longest)
        for phase in [longest + "a", "", "Reading", "1st", "two words", "ä"] {
            #expect(JobProgress(phase: phase, done: 0, total: 0).phase == nil, "\(phase)")
        }
        let counts = Dictionary(uniqueKeysWithValues: (0..<12).map { ("n\($0 + 10)", $0) } + [("No name", 1)])
        let kept = JobProgress(done: .max, total: -1, counts: counts)
        #expect(kept.sortedCounts.map { $0.name } == (10..<18).map { "n\($0)" })
        #expect(kept.done == .max && kept.total == -1)
    }

    @Test("Progress beyond the limits is refused when it is decoded")
    func decodingBeyondTheLimits() {
        func frame(phase: String, counts: [String]) -> [UInt8] {
            WorkerMessage.progress([
                RunProgress(
                    run: run,
                    JobProgress(
                        phase: phase, done: Int32(1), total: Int32(2),
                        counts: Dictionary(uniqueKeysWithValues: counts.map { ($0, 1) })))
            ]).encoded()
        }
        #expect(throws: Never.self) { try WorkerMessage(decoding: frame(phase: "ok", counts: ["a"])) }
        let long = String(repeating: "a", count: JobProgress.maximumNameBytes + 1)
        for frame in [
            frame(phase: long, counts: []), frame(phase: "Not", counts: []), frame(phase: "ok", counts: [long]),
            frame(phase: "ok", counts: ["two words"]), frame(phase: "ok", counts: (0...8).map { "n\($0)" }),
        ] {
            #expect(throws: WireError.unknownValue) { try WorkerMessage(decoding: frame) }
        }
    }
}

@Suite("Ids of screens")
struct ScreenIDTests {
    @Test("Only ASCII letters, digits, _ and - are accepted, at most 64")
    func allowedCharacters() {
        let longest = String(repeating: "x", count: 64)
        for text in ["a", "Z9_-", longest] { #expect(ScreenID(text)?.text == text) }
        for text in ["", longest + "x", "a b", "a/b", "ä", "a\n", "a\0"] { #expect(ScreenID(text) == nil) }
    }
}
