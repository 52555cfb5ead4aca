import ArgumentParser
import CommandSupport
import Foundation
import Identity

struct IdentityCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identity",
        abstract: "Finds out which records are the same song, and why.",
        discussion: """
            Examples:
              backline identity compare < pairs.jsonl
              backline identity cluster < records.jsonl

            It applies the rules by which libraries merge tracks (docs/identity.md) to records of any origin, without \
            a database. Records have title, artist, album, durationMs, released, isrc, explicit and clean; all but \
            title may be missing or null.
            """,
        subcommands: [Compare.self, Cluster.self])

    struct RuleOptions: ParsableArguments {
        @Flag(name: .long, help: "Treats a remaster as a different song from the original master.")
        var separateRemasters = false

        var rules: IdentityRules { IdentityRules(remastersAreSame: !separateRemasters) }
    }

    struct Compare: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compare", abstract: "Compares pairs of records.",
            discussion: """
                Reads lines {"a": {…}, "b": {…}} from standard input, and writes {"verdict", "evidence"} for each, in \
                the same order and as they arrive. The verdict is same, different or undecided, which counts as not \
                same.

                Examples:
                  backline identity compare < pairs.jsonl
                  backline identity compare --separate-remasters < pairs.jsonl
                """)

        @OptionGroup var options: RuleOptions

        private struct Pair: Decodable {
            var a: IdentityLine
            var b: IdentityLine
        }

        func run() async throws {
            try await CommandRun.run {
                let rules = options.rules
                let encoder = JSONEncoder()
                encoder.outputFormatting = .withoutEscapingSlashes
                try LineInput.read { (pair: Pair, _) in
                    let comparison = rules.compare(pair.a.record, pair.b.record)
                    let evidence = String(decoding: try encoder.encode(comparison.sentences), as: UTF8.self)
                    return #"{"verdict":"\#(comparison.verdict.rawValue)","evidence":\#(evidence)}"#
                }
            }
        }
    }

    struct Cluster: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cluster", abstract: "Groups a set of records by song.",
            discussion: """
                Reads lines with a record and its id, and writes {"id", "track"} for each, in the same order: records \
                of one song have the same track, which is the first of their ids. The order of the lines does not \
                matter. Records may name their source; rules about one source's albums then apply.

                Examples:
                  backline identity cluster < records.jsonl
                """)

        @OptionGroup var options: RuleOptions

        func run() async throws {
            try await CommandRun.run {
                var records: [IdentityLine] = []
                var seen: Set<IdentityLine.Name> = []
                try LineInput.read { (record: IdentityLine, number) in
                    guard let name = record.name else { throw LineInput.Failure(number, "It has no id.") }
                    guard seen.insert(name).inserted else {
                        throw LineInput.Failure(number, "Its id was used on an earlier line.")
                    }
                    records.append(record)
                    return nil
                }
                try CommandOutput.write(lines: Self.tracks(of: records, rules: options.rules))
            }
        }

        /// The lines to write for records that all have an id.
        private static func tracks(of records: [IdentityLine], rules: IdentityRules) throws -> [String] {
            var profiler = IdentityProfiler()
            let sources = IdentityLine.numbers(ofSources: records)
            let members = records.map { record in
                Clustering.Member(
                    listing: Listing(source: sources[record.source ?? ""] ?? 0, id: record.id?.text ?? ""),
                    profile: profiler.profile(record.record))
            }
            var first = Array(records.indices)
            for cluster in Clustering(rules: rules).run(members).clusters {
                for index in cluster { first[index] = cluster[0] }
            }
            let texts = try records.map { try $0.id?.json() ?? "null" }
            return records.indices.map { #"{"id":\#(texts[$0]),"track":\#(texts[first[$0]])}"# }
        }
    }
}
