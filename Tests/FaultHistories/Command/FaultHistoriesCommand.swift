import ArgumentParser
import Dispatch
import FaultHistories
import Foundation
import Synchronization

/// Plays random histories of faults on real processes, and reports which of them failed.
@main
struct FaultHistoriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault-histories",
        abstract: "Plays random histories of faults on real processes and checks the rules.",
        discussion: """
            A seed determines its history. A failing history is shrunk to a shorter one that also fails, which is \
            printed step by step and written to a file for --replay. The exit status is then 1.
            """)

    @Flag(help: "Plays histories of edits at services where others make changes, instead of histories of jobs.")
    var edits = false

    @Flag(help: "Plays histories of people who follow and block each other, instead of histories of jobs.")
    var people = false

    @Flag(help: "Plays histories of people who write to each other, instead of histories of jobs.")
    var messages = false

    @Option(help: "The number of histories to play.")
    var count = 500

    @Option(help: "The number of hours to play, instead of a number of histories.")
    var hours: Double?

    @Option(help: "The seed of the first history; the next ones have consecutive seeds. (default: random)")
    var firstSeed: UInt64?

    @Option(help: "Plays only the history with this seed.")
    var seed: UInt64?

    @Option(help: "Plays only the history in this file.", completion: .file(extensions: ["json"]))
    var replay: String?

    @Option(help: "The number of histories to play at once.")
    var parallel = 3

    @Option(help: "Stops after this many failed histories.")
    var maximumFailures = 3

    @Flag(help: "Does not shrink failed histories.")
    var whole = false

    @Option(help: "The folder for failed histories.")
    var output = ".build/fault-histories"

    @Flag(help: "Prints the steps of the history given by --seed or --replay, without playing it.")
    var show = false

    func validate() throws {
        guard count > 0, parallel > 0, maximumFailures > 0, hours ?? 1 > 0 else {
            throw ValidationError("--count, --hours, --parallel and --maximum-failures must be positive.")
        }
        guard seed == nil || replay == nil else { throw ValidationError("Give --seed or --replay, not both.") }
        guard !show || seed != nil || replay != nil else {
            throw ValidationError("--show needs --seed or --replay.")
        }
        guard [edits, people, messages].count(where: { $0 }) <= 1 else {
            throw ValidationError("Give one of --edits, --people and --messages.")
        }
    }

    func run() async throws {
        let interruptions = [SIGINT, SIGTERM].map(Self.endingAll)
        defer { for source in interruptions { source.cancel() } }
        if edits {
            try await run(EditHistory.self)
        } else if people {
            try await run(PeopleHistory.self)
        } else if messages {
            try await run(MessageHistory.self)
        } else {
            try await run(History.self)
        }
    }

    private func run<Kind: PlayableHistory>(_: Kind.Type) async throws {
        if let history: Kind = try single() {
            if show { return print(history.lines.joined(separator: "\n")) }
            try await play(history)
        } else {
            try await playMany(Kind.self)
        }
    }

    /// Kills the processes of all histories when the signal arrives, and exits.
    private static func endingAll(on number: Int32) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            InstallationsUnderWay.abandonAll()
            Glibc.exit(128 + number)
        }
        source.resume()
        return source
    }

    private func single<Kind: PlayableHistory>() throws -> Kind? {
        if let seed { return Kind(seed: seed) }
        guard let replay else { return nil }
        return try Kind(json: Data(contentsOf: URL(fileURLWithPath: replay)))
    }

    private func play(_ history: some PlayableHistory) async throws {
        print(history.lines.joined(separator: "\n"))
        switch await Self.outcome(of: history) {
        case .passed(let summary): print("It passed: \(summary).")
        case .failed(let failed):
            print(failed.violations.map(\.description).joined(separator: "\n"))
            throw ExitCode.failure
        case .unplayable(_, let reason):
            print("It could not be played: \(reason)")
            throw ExitCode(70)
        }
    }

    private static func outcome<Kind: PlayableHistory>(of history: Kind) async -> Campaign<Kind>.Outcome {
        await Campaign.play(history)
    }

    // MARK: Many

    private struct Tally {
        var next: UInt64
        var begun = 0
        var passed = 0
        var failed = 0
        var unplayable = 0
        var lastReport = ContinuousClock.now

        var ended: Int { passed + failed + unplayable }
    }

    private func playMany<Kind: PlayableHistory>(_: Kind.Type) async throws {
        let first = firstSeed ?? UInt64.random(in: 0..<1_000_000_000)
        let option = Kind.option.map { " \($0)" } ?? ""
        let tally = Mutex(Tally(next: first))
        let start = ContinuousClock.now
        let end = hours.map { start.advanced(by: .seconds($0 * 3_600)) }
        say(
            "Playing " + (hours.map { "for \($0) hours" } ?? "\(count) histories") + ", \(parallel) at once, from seed "
                + "\(first) on.")
        let campaign = Campaign<Kind>(parallel: parallel) {
            tally.withLock { tally in
                let isOver = end.map { ContinuousClock.now >= $0 } ?? (tally.begun >= count)
                guard !isOver, tally.failed < maximumFailures else { return nil }
                tally.begun += 1
                defer { tally.next += 1 }
                return Kind(seed: tally.next)
            }
        }
        await campaign.run { outcome in
            switch outcome {
            case .passed: tally.withLock { $0.passed += 1 }
            case .failed(var failed):
                tally.withLock { $0.failed += 1 }
                let rest = whole ? "" : "; shrinking it …"
                say("Seed \(failed.history.seed) failed: \(failed.violations[0])\(rest)")
                if !whole { await failed.shrink() }
                say(failed.lines.joined(separator: "\n"))
                if let path = write(failed) { say("The steps as they failed: scripts/soak\(option) --replay \(path)") }
            case .unplayable(let history, let reason):
                tally.withLock { $0.unplayable += 1 }
                say("Seed \(history.seed) could not be played: \(reason)")
            }
            let progress = tally.withLock { tally -> String? in
                guard tally.lastReport.duration(to: .now) > .seconds(30) else { return nil }
                tally.lastReport = .now
                return Self.summary(tally, since: start)
            }
            if let progress { say(progress) }
        }
        let final = tally.withLock { $0 }
        say(Self.summary(final, since: start))
        if final.failed + final.unplayable > 0 || final.passed == 0 { throw ExitCode.failure }
    }

    private static func summary(_ tally: Tally, since start: ContinuousClock.Instant) -> String {
        let seconds = start.duration(to: .now).components.seconds
        return "\(tally.passed) histories passed, \(tally.failed) failed"
            + (tally.unplayable > 0 ? ", \(tally.unplayable) could not be played" : "") + ", in \(seconds) s."
    }

    /// What the names of files with failed histories begin with.
    private var prefix: String { edits ? "edits-" : people ? "people-" : messages ? "messages-" : "" }

    private func write(_ failed: FailedHistory<some PlayableHistory>) -> String? {
        let path = "\(output)/\(prefix)\(failed.history.seed).json"
        do {
            try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
            try (failed.shrunk ?? failed.history).json.write(to: URL(fileURLWithPath: path))
            return path
        } catch {
            say("The history could not be written to \(path): \(error)")
            return nil
        }
    }

    /// Prints without a buffer, even into a pipe.
    private func say(_ text: String) {
        print(text)
        fflush(nil)
    }
}
