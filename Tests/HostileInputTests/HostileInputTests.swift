import Foundation
import HostileInputs
import TestSupport
import Testing

/// Inputs that fuzzing found, and inputs that a seed determines, for every reader of outside data.
///
/// Optimized, a reader has 50 ms plus one second for each MB (`scripts/fuzz`). Tests are not optimized, and only count
/// processor time.
@Suite("Hostile inputs", .timeLimit(.minutes(5)))
struct HostileInputTests {
    /// The multiple of the budget that a debug build may use.
    private static let debugFactor = 40.0

    @Test("Inputs that fuzzing found are read or refused in bounded time", arguments: HostileParser.all.map(\.name))
    func inputsOfTheCorpus(parser name: String) throws {
        let parser = try #require(HostileParser.named(name))
        let folder = try #require(Bundle.module.resourceURL).appending(path: "Corpus/\(name)")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        for input in try parser.seeds + files.map({ Array(try Data(contentsOf: $0)) }) {
            #expect(ProcessorBudget.share(of: parser, input) < Self.debugFactor)
        }
    }

    @Test(
        "Inputs that are designed to do harm are read or refused in bounded time",
        arguments: HostileParser.all.map(\.name))
    func generatedInputs(parser name: String) throws {
        let parser = try #require(HostileParser.named(name))
        for seed in Fuzzing.seeds(2) {
            var inputs = HostileInputs(seed: seed, longest: 16_384)
            for round in 0..<Fuzzing.rounds(150, long: 5_000) {
                let input = inputs.next(from: parser.seeds)
                let share = ProcessorBudget.share(of: parser, input)
                #expect(share < Self.debugFactor, "seed \(seed), round \(round), \(input.count) bytes")
            }
        }
    }

    @Test("Each folder of the corpus belongs to a parser")
    func foldersOfTheCorpus() throws {
        let corpus = try #require(Bundle.module.resourceURL).appending(path: "Corpus")
        let names = try FileManager.default.contentsOfDirectory(atPath: corpus.path).filter { !$0.hasPrefix(".") }
        #expect(Set(names).subtracting(["README.md"]).isSubset(of: HostileParser.all.map(\.name)))
    }
}
