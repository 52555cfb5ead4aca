import Testing

@testable import FaultHistories

/// What is no fault of the engine, though it looks like the death of two jobs' worker that weighs against one of them.
extension RecordTests {
    /// A change of ``SampleRecord/dieTogether(_:)``.
    struct Apart: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: @Sendable (inout Record) -> Void

        init(_ description: String, _ change: @escaping @Sendable (inout Record) -> Void) {
            testDescription = description
            self.change = change
        }

        static let all = [
            Apart("the other never got to its worker, and was put back without a death") {
                $0.changes[10].isDeath = false
            },
            Apart("the other was handed out to a worker that was dead") { $0.changes[4].at = 28 },
            Apart("the blamed one was handed out to a worker that was dead") { $0.interruptions[0].at = 18 },
            Apart("the other was there at an earlier death of the same worker, which was only stopped") {
                $0.interruptions.insert(.init(of: "first", at: 17), at: 0)
            },
            Apart("another worker was killed") { $0.interruptions[0].worker = "second" },
        ]
    }

    @Test("A death weighs against a job that was alone when its worker was killed", arguments: Apart.all)
    func apart(_ apart: Apart) {
        var record = SampleRecord.good
        SampleRecord.dieTogether(&record)
        #expect(record.violations.map(\.rule) == [.bystanders])
        apart.change(&record)
        #expect(record.violations == [])
    }
}
