import ArgumentParser
import CommandSupport

/// The text that `backline library sync` prints: a line for each part of a service's library that was read, one for
/// each service that has to wait, and the outcome.
struct LibrarySyncReport {
    /// The part that each service was last seen in, by the service's name in the API.
    private var phases: [String: String] = [:]
    /// Why each service was last seen waiting.
    private var waits: [String: String] = [:]

    /// The lines for what has changed since the previous status.
    mutating func lines(for status: LibrarySyncStatus) -> [String] {
        status.sources.flatMap { [endOfPhase(in: $0), wait(in: $0)].compactMap(\.self) }
    }

    /// `Apple Music: tracks read, 3400 items so far`
    private mutating func endOfPhase(in source: LibrarySyncStatus.Source) -> String? {
        let before = phases[source.source]
        let hasEnded = source.state == "complete" || source.state == "failed"
        phases[source.source] = hasEnded ? nil : source.phase
        guard let before, hasEnded || before != source.phase else { return nil }
        let verb = source.state == "failed" ? "not read to the end" : "read"
        return "\(LibraryTable.name(source.source)): \(TextWidth.printable(before)) \(verb), "
            + "\(source.found) items so far"
    }

    /// The line for a service that cannot be read now, but will be read later in the same sync.
    private mutating func wait(in source: LibrarySyncStatus.Source) -> String? {
        let reason = source.state == "waiting" ? source.error?.message : nil
        let before = waits.updateValue(reason ?? "", forKey: source.source)
        guard let reason, reason != before else { return nil }
        return "\(LibraryTable.name(source.source)) has to wait: \(TextWidth.printable(reason))"
    }

    /// `[####----] 1200/3400  3.1 s  Apple Music: tracks`
    static func progress(of status: LibrarySyncStatus, after elapsed: Duration) -> String {
        guard let source = status.sources.first(where: { $0.state == "running" }) else {
            return "\(ProgressBar.seconds(elapsed))  \(pause(in: status))"
        }
        let bar = ProgressBar(done: source.found, total: source.total ?? 0, elapsed: elapsed)
        let phase = source.phase.map { ": \(TextWidth.printable($0))" } ?? ""
        return "\(bar.text)  \(LibraryTable.name(source.source))\(phase)"
    }

    /// What a sync is doing while it is not reading a service.
    private static func pause(in status: LibrarySyncStatus) -> String {
        if status.state == .queued { return "waiting for a worker" }
        let waiting = status.sources.filter { $0.state == "waiting" }.map { LibraryTable.name($0.source) }
        return waiting.isEmpty ? "comparing the services" : "waiting for \(waiting.joined(separator: " and "))"
    }

    /// The services of a sync that has ended.
    static func columns(of status: LibrarySyncStatus) -> [TableColumn] {
        let sources = status.sources
        return [
            TableColumn(title: "Service", cells: sources.map { .init(LibraryTable.name($0.source)) }),
            TableColumn(
                title: "State", cells: sources.map { .init(TextWidth.printable($0.state), style: style(of: $0)) }),
            TableColumn(title: "New", cells: sources.map { .init("\($0.new)") }, isNumber: true),
            TableColumn(title: "Changed", cells: sources.map { .init("\($0.changed)") }, isNumber: true),
            TableColumn(
                title: "Error", cells: sources.map { .init(TextWidth.printable($0.error?.message ?? "")) },
                minimum: 20),
        ]
    }

    /// The sentence below the table.
    static func outcome(of status: LibrarySyncStatus) -> String {
        if !status.sources.isEmpty, status.sources.allSatisfy({ $0.state == "skipped" }) {
            return "Nothing was read: every service was synced in the last five minutes. --force reads them again."
        }
        // Services that this sync did not read are listed with the errors of earlier syncs.
        let isAnySynced = status.sources.contains { $0.state == "complete" || $0.state == "skipped" }
        let merged =
            switch status.merged {
            case 0: "."
            case 1: "; 1 track was merged into another."
            default: "; \(status.merged) tracks were merged into others."
            }
        return switch status.state {
        case .complete where !isAnySynced:
            "No service is connected. Connect Spotify or Apple Music in the pages' setup ('backline open')."
        case .complete: "The library is synced\(merged)"
        case .partial where isAnySynced: "Some of the library could not be synced\(merged)"
        case .partial, .failed: "The library could not be synced."
        case .queued, .running: "The sync has not ended."
        }
    }

    static func exit(for state: LibrarySyncStatus.State) -> ExitCode {
        switch state {
        case .complete: .success
        case .failed: CommandExit.failure
        case .queued, .running: CommandExit.cancelled
        case .partial: ExitCode(3)
        }
    }

    private static func style(of source: LibrarySyncStatus.Source) -> TextStyle? {
        switch source.state {
        case "complete": .green
        case "failed": .red
        case "skipped": .faint
        default: nil
        }
    }
}
