import Foundation
import Testing

@testable import FaultHistories

@Suite("Histories")
struct HistoryTests {
    @Test("A seed determines its history, and another seed gives another history")
    func seedDeterminesAHistory() {
        for seed in 1...200 as ClosedRange<UInt64> {
            #expect(History(seed: seed) == History(seed: seed))
            #expect(History(seed: seed).operations != History(seed: seed + 1).operations)
        }
    }

    @Test("A history decodes to itself")
    func roundTrip() throws {
        for seed in 1...50 as ClosedRange<UInt64> {
            let history = History(seed: seed)
            #expect(try History(json: history.json) == history)
            #expect(history.lines.count == history.operations.count + 1)
        }
    }

    @Test("Histories have every kind of step, for every process")
    func varietyOfSteps() {
        let steps = (1...300 as ClosedRange<UInt64>).flatMap { History(seed: $0).operations }
        let names = Set(steps.map { String("\($0)".prefix { $0 != "(" && $0 != " " }) })
        #expect(names.isSuperset(of: ["submit", "repeat", "cancel", "requeue", "user", "kill", "SIGSTOP", "SIGCONT"]))
        #expect(names.isSuperset(of: ["SIGTERM", "start", "set", "spoil", "wait", "refuse", "accept", "take"]))
        for role in Role.workers { #expect(steps.contains(.killHolder(role: role))) }
        for role in Role.allCases {
            #expect(steps.contains(.kill(role: role)) && steps.contains(.stop(role: role)))
            #expect(steps.contains(.drain(role: role)) && steps.contains(.start(role: role, faults: "")))
        }
    }

    @Test("Some jobs take steps, some of these take none, and no job with a shared unique key does")
    func stepJobs() {
        let jobs = (1...100 as ClosedRange<UInt64>).flatMap { Self.jobs(of: History(seed: $0)) }
        let taking = jobs.filter { $0.steps != nil }
        #expect(taking.count > jobs.count / 10 && taking.contains { $0.steps == 0 })
        #expect(taking.allSatisfy { $0.uniqueKey == nil && ($0.steps ?? 0) * $0.sleep <= 2_100 })
    }

    private static func jobs(of history: History) -> [SubmittedJob] {
        history.operations.flatMap(\.submittedJobs)
    }

    @Test("Some histories have a job that kills its workers: an echo that runs until then")
    func jobsThatKillWorkers() {
        let killers = (1...300 as ClosedRange<UInt64>).map { seed in
            Self.jobs(of: History(seed: seed)).filter { $0.killsAfter != nil }
        }
        #expect(killers.allSatisfy { $0.count <= 1 } && killers.count { !$0.isEmpty } > 15)
        for job in killers.joined() {
            #expect(job.steps == nil && job.uniqueKey == nil && job.failures == 0)
            #expect(job.sleep > 2 * (job.killsAfter ?? 0))
        }
    }

    @Test("A history without the fields of jobs that kill workers is decoded")
    func earlierForm() throws {
        let job = #"{"tag":1,"user":1,"sleep":5,"failures":0,"priority":0,"isIdempotent":false}"#
        let history = try History(
            json: Data(
                """
                {"seed":1,"operations":[{"submit":{"job":\(job)}}],
                "setup":{"firstProgram":"sync-worker","concurrency":1,"requestsPerSecond":3,"latency":1}}
                """.utf8))
        #expect(history.operations.flatMap(\.submittedJobs).map(\.killsAfter) == [nil])
    }

    @Test("Tags are unique, and jobs with the same unique key have the same payload")
    func uniqueTags() {
        for seed in 1...100 as ClosedRange<UInt64> {
            let jobs = Self.jobs(of: History(seed: seed))
            #expect(Set(jobs.map(\.tag)).count == jobs.count)
            let payloads = Dictionary(grouping: jobs.filter { $0.uniqueKey != nil }, by: \.uniqueKey)
            #expect(payloads.values.allSatisfy { Set($0.map(\.payload)).count == 1 })
        }
    }

    @Test("Quotas are those of the configuration, or small enough for one person's searches and jobs to reach them")
    func sizesOfQuotas() {
        let histories = (1...300 as ClosedRange<UInt64>).map { History(seed: $0) }
        #expect(
            histories.contains {
                $0.setup.runningSearches == nil && $0.setup.unfinishedJobs == nil && $0.setup.unfinishedBytes == nil
            })
        #expect(histories.allSatisfy { (1...10).contains($0.setup.runningSearches ?? 10) })
        #expect(histories.allSatisfy { (1...10_000).contains($0.setup.unfinishedJobs ?? 10_000) })
        let exceeding = histories.count { history in
            history.operations.contains { operation in
                guard case .searchBurst(let searches) = operation else { return false }
                #expect(Set(searches.map(\.user)).count == 1)
                return searches.count > history.setup.runningSearches ?? 10
            }
        }
        #expect(exceeding > 30)
        #expect(histories.count { ($0.setup.unfinishedJobs ?? .max) < Self.jobs(of: $0).count / 2 } > 15)
        let small = histories.count { history in
            let bytes = Self.jobs(of: history).reduce(0) { $0 + $1.payload.utf8.count }
            return (history.setup.unfinishedBytes ?? .max) < bytes / 2
        }
        #expect(small > 15)
    }

    @Test("Every search of a history has a number of its own")
    func searchNumbers() {
        for seed in 1...100 as ClosedRange<UInt64> {
            let numbers = History(seed: seed).operations.flatMap { operation -> [Int] in
                switch operation {
                case .search(let number, _, _): [number]
                case .searchBurst(let searches): searches.map(\.number)
                default: []
                }
            }
            #expect(numbers == Array(0..<numbers.count).map { $0 + 1 })
        }
    }
}
