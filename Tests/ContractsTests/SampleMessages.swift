import Contracts
import Model
import Telemetry
import TestSupport

extension SeededRandom {
    mutating func run() -> JobRun { JobRun(jobID: text(upTo: 40), run: number()) }

    /// A random value of the type; its bounds are more likely than other values.
    mutating func number<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> Value {
        [.min, .max, 0, 1, Value(truncatingIfNeeded: next())].randomElement(using: &self)!
    }

    mutating func list<Element>(_ element: (inout SeededRandom) -> Element) -> [Element] {
        (0..<Int.random(in: 0...5, using: &self)).map { _ in element(&self) }
    }

    private mutating func credit() -> WorkerCredit { WorkerCredit(free: number(), received: number()) }

    mutating func job() -> AssignedJob {
        AssignedJob(
            run: run(), userID: text(upTo: 36), kind: text(upTo: 20), version: Int(number(Int32.self)),
            attempt: Int(number(Int32.self)), maximumAttempts: Int(number(Int32.self)),
            priority: Int(number(Int32.self)), payload: text(upTo: 300),
            trace: Bool.random(using: &self) ? nil : "t" + text(upTo: 32),
            person: Bool.random(using: &self) ? nil : "p" + text(upTo: 36))
    }

    mutating func workerMessage(_ type: WorkerMessage.MessageType) -> WorkerMessage {
        switch type {
        case .hello:
            .hello(
                WorkerIntroduction(
                    name: text(upTo: 20), instance: text(upTo: 60), processID: number(), version: text(upTo: 10),
                    capacity: number(),
                    kinds: list { KindVersion(kind: $0.text(upTo: 20), version: Int($0.number(Int32.self))) }))
        case .heartbeat: .heartbeat(held: list { $0.run() }, credit: credit())
        case .done:
            .done(
                ended: list {
                    let outcome = RunReport.Outcome(rawValue: UInt8.random(in: 0...3, using: &$0)) ?? .finished
                    return RunReport(run: $0.run(), outcome: outcome, runAt: $0.number())
                }, credit: credit())
        case .progress: .progress(list { RunProgress(run: $0.run(), $0.progress()) })
        case .submitted: .submitted
        case .draining: .draining
        case .goodbye: .goodbye
        case .metrics: .metrics(MetricReport(sequence: number(), snapshot: snapshot()))
        case .cleared: .cleared(list { $0.run() })
        case .changed: .changed(userIDs: list { $0.text(upTo: 36) })
        }
    }

    private mutating func progress() -> JobProgress {
        let names = (0..<Int.random(in: 0...JobProgress.maximumCounts, using: &self)).map { "name\($0)" }
        return JobProgress(
            phase: Bool.random(using: &self) ? nil : "phase\(Int.random(in: 0...9, using: &self))",
            done: Int(number(Int32.self)), total: Int(number(Int32.self)),
            counts: Dictionary(uniqueKeysWithValues: names.map { ($0, Int(number(Int64.self))) }))
    }

    private mutating func snapshot() -> MetricSnapshot {
        var snapshot = MetricSnapshot()
        for family in MetricFamily.all where family.scope == .process && Bool.random(using: &self) {
            for _ in 0..<Int.random(in: 1...3, using: &self) {
                let labels = family.labels.map { _ in text(upTo: 12) }
                snapshot.set(family, labels, values: (0..<family.width).map { _ in number() })
            }
        }
        return snapshot
    }

    mutating func gatewayMessage(_ type: GatewayMessage.MessageType) -> GatewayMessage {
        switch type {
        case .welcome: .welcome(heartbeatMilliseconds: number())
        case .jobs: .jobs(sequence: number(), list { $0.job() })
        case .stop: .stop(list { $0.run() })
        case .identify: .identify
        }
    }
}
