@testable import FaultHistories

/// Incorrect checkpoints, ends and crash groups, together with the errors of the other files.
extension RecordTests {
    private typealias Sample = SampleRecord

    static let long = steps + domainEnds + groups + crashGroups + poison + quotas

    private static let steps = [
        InvalidRecord("a step of a run that was taken away", .steps) { $0.marks[1].run = 1 },
        InvalidRecord("a step between two runs", .steps) { $0.marks[1].place = 11 },
        InvalidRecord("a step of a cancelled job", .cancelledRests) {
            $0.changes[12].to = "cancelled"
            $0.marks.append(.init(.taken, of: "d", number: 2, run: 2, place: 13))
        },
        InvalidRecord("a step that was left out", .steps) {
            $0.marks.removeAll { $0.number == 0 }
        },
        InvalidRecord("a step that was taken twice", .steps) {
            $0.marks.insert(.init(.taken, of: "d", number: 1, run: 2, place: 12), at: 2)
        },
        InvalidRecord("more steps than were asked for", .steps) {
            $0.marks.insert(.init(.taken, of: "d", number: 2, run: 2, place: 12), at: 2)
        },
        InvalidRecord("a result that counts other steps", .steps) {
            $0.jobs["d"]?.result = #"{"distinct":2,"runs":1,"steps":2,"written":2}"#
        },
        InvalidRecord("a checkpoint that is kept after a success", .steps) { $0.checkpoints = ["d"] },
        InvalidRecord("long jobs that end with an error of their own", .resultAgrees) {
            $0.jobs["d"]?.state = "failed"
            $0.jobs["d"]?.result = nil
            $0.jobs["d"]?.errorCode = "timedOut"
        },
    ]

    private static let domainEnds = [
        InvalidRecord("an end that is written before the job's", .ends) { $0.marks[2].place = 12 },
        InvalidRecord("an end that was written in part", .ends) { $0.marks.remove(at: 3) },
        InvalidRecord("a search with two results", .ends) {
            $0.marks.append(.init(.told, of: "s", number: 1, place: 13))
        },
        InvalidRecord("an end that is owed forever", .ends) { $0.pending = ["the end of the job d is owed"] },
        InvalidRecord("a requeue that does not undo an end", .ends) {
            $0.changes[12].to = "failed"
            $0.changes += [
                Sample.change("d", at: 140, "failed", "queued", run: 2),
                Sample.change("d", at: 150, "queued", "running", run: 3),
                Sample.change("d", at: 160, "running", "succeeded", run: 3),
            ]
        },
    ]

    private static let groups = [
        InvalidRecord("an ended job in a crash group", .bystanders) { $0.jobs["a"]?.isSuspect = true },
        InvalidRecord("a death that weighs while others ran there", .bystanders) { Sample.dieTogether(&$0) },
        InvalidRecord("poison after deaths that a step forgave", .bystanders) {
            $0.changes[12].to = "failed"
            $0.jobs["d"]?.state = "failed"
            $0.jobs["d"]?.errorCode = "poison"
            $0.jobs["d"]?.attempts = ["workerDied", "workerDied", "poison"]
            $0.jobs["d"]?.deathRuns = [0, 1, 2]
        },
        InvalidRecord("poison after deaths that a requeue forgave", .bystanders) {
            $0.changes[6].to = "failed"
            $0.changes.insert(Sample.change("b", at: 35, "failed", "queued", run: 1), at: 7)
            $0.changes[9].to = "failed"
            $0.jobs["b"]?.state = "failed"
            $0.jobs["b"]?.errorCode = "poison"
            $0.jobs["b"]?.deathRuns = [0, 1, 2]
        },
        InvalidRecord("too many deaths", .bystanders) { $0.jobs["d"]?.errorCode = "tooManyDeaths" },
        InvalidRecord("a change number that falls", .changeNumbers) { $0.changes[3].number = 2 },
    ]
}
