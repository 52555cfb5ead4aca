import Model
import Testing

@testable import Jobs

@Suite("The weight of workers' deaths")
struct CrashScoresTests {
    private let start = MonotonicInstant(microseconds: 1_000_000_000)

    /// The weight of a worker's death, the given number of seconds after the first, against the job that it ran alone.
    private func death(of jobs: String..., after seconds: Int, _ crashScores: inout CrashScores) -> Int {
        crashScores.workerDied(
            holding: jobs, alone: jobs.count == 1 ? jobs.first : nil, at: start.advanced(by: .seconds(seconds)))
    }

    @Test("Three deaths of a job that runs alone, while no other worker dies, reach the limit")
    func threeDeathsAlone() {
        var crashScores = CrashScores()
        var weight = 0
        for round in 0..<3 {
            #expect(weight < CrashScores.limit)
            weight += death(of: "a", after: round, &crashScores)
        }
        #expect(weight >= CrashScores.limit)
    }

    @Test("Deaths do not weigh against jobs that ran with others")
    func deathsBesideOthers() {
        var crashScores = CrashScores()
        #expect(death(of: "a", "b", after: 0, &crashScores) == 0)
        #expect(death(after: 0, &crashScores) == 0)
        // The death of an idle worker does not lower the weight.
        #expect(death(of: "a", after: 20, &crashScores) == CrashScores.singleDeathWeight)
    }

    @Test("A death within ten seconds of another worker's death weighs a third, and a later one weighs in full")
    func deathsInAStorm() {
        var crashScores = CrashScores()
        #expect(death(of: "a", after: 0, &crashScores) == CrashScores.singleDeathWeight)
        #expect(death(of: "b", after: 1, &crashScores) == CrashScores.manyDeathsWeight)
        #expect(death(of: "a", after: 9, &crashScores) == CrashScores.manyDeathsWeight)
        #expect(death(of: "a", after: 20, &crashScores) == CrashScores.singleDeathWeight)
        #expect(CrashScores.manyDeathsWeight * 3 == CrashScores.singleDeathWeight)
    }

    @Test("Deaths of a job's own groups do not lower the weight; those of the other halves do")
    func ownGroups() {
        var crashScores = CrashScores()
        for (second, group) in [["a", "b", "c", "d"], ["a", "b", "c", "d"], ["a", "b"]].enumerated() {
            #expect(crashScores.workerDied(holding: group, alone: nil, at: start.advanced(by: .seconds(second))) == 0)
        }
        #expect(death(of: "a", after: 3, &crashScores) == CrashScores.singleDeathWeight)
        #expect(death(of: "a", after: 4, &crashScores) == CrashScores.singleDeathWeight)
        #expect(death(of: "c", after: 5, &crashScores) == CrashScores.manyDeathsWeight)
        #expect(death(of: "a", after: 6, &crashScores) == CrashScores.manyDeathsWeight)
    }
}
