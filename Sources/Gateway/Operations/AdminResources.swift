import Foundation
import Jobs
import Model
import Telemetry

/// The answer of `GET /v1/admin/overview`: the state of the whole installation.
struct OverviewResource {
    var installation: OperationsService.Installation
    var processes: [MetricSnapshot]
    var at: Timestamp

    var json: [UInt8] {
        JSONWriter.object { json in
            json.member("at", at)
            json.member("jobs") { json in
                json.object { json in writeStates(to: &json, count: installation.count) }
            }
            json.member("kinds") { json in
                json.array(installation.counts.sorted { $0.key < $1.key }) { json, entry in
                    json.object { json in
                        json.member("kind", entry.key)
                        writeStates(to: &json) { entry.value[$0] ?? 0 }
                    }
                }
            }
            json.member("oldestQueuedSeconds", decimal: age(installation.ages.oldestQueued.values.min()))
            json.member("oldestRunningSeconds", decimal: age(installation.ages.oldestRunning))
            json.member("workers", installation.workers.count)
            json.member("deadLetters", installation.deadLetters)
            json.member("breakers") { json in
                json.array(breakers) { json, breaker in
                    json.object {
                        $0.member("provider", breaker.provider)
                        $0.member("state", breaker.isOpen ? "open" : "closed")
                    }
                }
            }
            json.member("walBytes", Int(installation.logSize))
            json.member("upstream") { json in
                json.array(upstream) { json, series in
                    json.object {
                        $0.member("provider", series.labels[0])
                        $0.member("status", series.labels[1])
                        $0.member("calls", Int(series.values[0]))
                    }
                }
            }
        }
    }

    private func writeStates(to json: inout JSONWriter, count: (JobState) -> Int) {
        json.member("scheduled", count(.scheduled))
        json.member("queued", count(.queued))
        json.member("running", count(.running))
        json.member("succeeded", count(.succeeded))
        json.member("failed", count(.failed))
        json.member("cancelled", count(.cancelled))
    }

    private func age(_ since: MonotonicInstant?) -> Double? {
        since.map { Double(max(0, $0.duration(to: installation.at).microseconds)) / 1_000_000 }
    }

    /// The circuit breakers. A provider's counts as open while any process has it open.
    private var breakers: [(provider: String, isOpen: Bool)] {
        var states: [String: Bool] = [:]
        for series in processes.flatMap({ $0.series(of: .circuitOpen) }) {
            states[series.labels[0]] = states[series.labels[0]] == true || series.values[0] != 0
        }
        return states.sorted { $0.key < $1.key }.map { (provider: $0, isOpen: $1) }
    }

    /// Calls by provider and status, summed over all processes.
    private var upstream: [MetricSnapshot.Series] {
        var totals = MetricSnapshot()
        for process in processes { totals.addTotals(of: process) }
        return totals.series(of: .upstreamCalls)
    }
}

extension WorkerSummary {
    func write(to json: inout JSONWriter, now: MonotonicInstant, wallNow: Timestamp) {
        func onWallClock(_ instant: MonotonicInstant) -> Timestamp {
            wallNow.advanced(by: now.duration(to: instant))
        }
        json.object { json in
            json.member("name", name)
            json.member("process", name)
            json.member("kinds") { json in
                json.array(Set(introduction.kinds.map(\.kind)).sorted()) { $0.value($1) }
            }
            json.member("version", introduction.version.isEmpty ? nil : introduction.version)
            json.member("pid", Int(introduction.processID))
            json.member("connectedAt", onWallClock(connectedAt))
            let silence = max(0, lastHeard.duration(to: now).microseconds)
            json.member("lastHeardSecondsAgo", decimal: Double(silence) / 1_000_000)
            json.member("capacity", Int(introduction.capacity))
            json.member("credit", free)
            json.member("held", held)
            json.member("jobs") { json in
                json.array(jobs) { json, job in
                    json.object {
                        $0.member("id", job.id)
                        $0.member("kind", job.kind)
                        $0.member("run", Int(job.run))
                        $0.member("startedAt", onWallClock(job.handedAt))
                    }
                }
            }
        }
    }
}

extension SeriesRecorder.Sample {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("at", at)
            json.member("finished", finished)
            json.member("failed", failed)
            json.member("dispatchMs") { dispatch.write(to: &$0) }
            json.member("runMs") { run.write(to: &$0) }
            json.member("queueAgeSeconds", decimal: queueAgeSeconds)
            json.member("permitsFree", permitsFree)
            json.member("permitsBusy", permitsBusy)
            json.member("workers", workers)
        }
    }
}

extension SeriesRecorder.Quantiles? {
    /// Both are `null` when nothing was measured.
    fileprivate func write(to json: inout JSONWriter) {
        json.object {
            $0.member("p50", decimal: self?.p50)
            $0.member("p99", decimal: self?.p99)
        }
    }
}

extension JSONWriter {
    /// Writes a number with three decimal places.
    fileprivate mutating func member(_ name: StaticString, decimal number: Double?) {
        member(name, raw: number.map { String(format: "%.3f", $0) })
    }
}
