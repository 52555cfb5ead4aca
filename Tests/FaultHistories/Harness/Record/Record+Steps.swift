import Foundation

/// Rules about `diagnostics.steps`: each step once, in order, by the current run.
extension Record {
    /// The changes of each job, with their positions among all changes.
    var changesByJob: [String: [(place: Int, change: Change)]] {
        Dictionary(grouping: changes.enumerated().map { (place: $0.offset, change: $0.element) }, by: \.change.jobID)
    }

    /// Steps that were taken while the job was not running in that run, so that fencing failed.
    var misplacedSteps: [Violation] {
        let changesByJob = changesByJob
        return marks.filter { $0.sort == .taken }.compactMap { step in
            let before = changesByJob[step.id]?.last { $0.place < step.place }?.change
            guard before?.to != "running" || before?.run != step.run else { return nil }
            let state = before.map { "\($0.to), run \($0.run)" } ?? "not there"
            return Violation(
                before?.to == "cancelled" ? .cancelledRests : .steps,
                "step \(step.number) of \(name(step.id)) was taken in run \(step.run), when the job was \(state)")
        }
    }

    /// Steps that were skipped, repeated or taken out of order, and results that contradict them.
    var brokenSteps: [Violation] {
        let steps = Dictionary(grouping: marks.filter { $0.sort == .taken }, by: \.id)
        return jobs.values.filter(\.isSteps).compactMap { job in
            let taken = steps[job.id] ?? []
            if taken.map(\.number) != Array(0..<taken.count) {
                return Violation(.steps, "\(name(job.id)) took the steps \(taken.map { String($0.number) })")
            }
            let wanted = Self.read(Payload.self, job.payload)?.steps ?? 0
            guard job.state == "succeeded" else {
                return taken.count <= wanted
                    ? nil : Violation(.steps, "\(name(job.id)) took \(taken.count) of \(wanted) steps")
            }
            let right = Outcome(
                steps: wanted, written: wanted, distinct: wanted, runs: Set(taken.map(\.run)).count)
            guard taken.count != wanted || Self.read(Outcome.self, job.result ?? "") != right else { return nil }
            return Violation(
                .steps, "\(name(job.id)) took \(taken.count) of \(wanted) steps and says \(job.result ?? "nothing")")
        }
    }

    /// Checkpoints that are left after a job's end. Only a dead letter keeps its checkpoint, where a requeue continues.
    var keptCheckpoints: [Violation] {
        checkpoints.compactMap { id in
            let state = jobs[id]?.state ?? "not there"
            guard state != "failed" else { return nil }
            return Violation(.steps, "a checkpoint of \(name(id)) still exists although it is \(state)")
        }
    }

    private struct Payload: Decodable { var steps: Int }

    private struct Outcome: Decodable, Equatable {
        var steps: Int
        var written: Int
        var distinct: Int
        var runs: Int
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
