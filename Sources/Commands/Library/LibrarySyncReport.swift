import ArgumentParser

/// What `backline library sync` prints: a line for each part of a service's library that was read, and the outcome.
struct LibrarySyncReport {
    /// The part that each service was last seen in, by the service's name in the API.
    private var phases: [String: String] = [:]

    /// The lines for what has ended since the status before: `Apple Music: tracks read, 3400 items so far`.
    mutating func lines(for status: LibrarySyncStatus) -> [String] {
        status.sources.compactMap { source in
            let before = phases[source.source]
            let hasEnded = source.state == "complete" || source.state == "failed"
            phases[source.source] = hasEnded ? nil : source.phase
            guard let before, hasEnded || before != source.phase else { return nil }
            let verb = source.state == "failed" ? "not read to the end" : "read"
            return "\(LibraryTable.name(source.source)): \(TextWidth.printable(before)) \(verb), "
                + "\(source.found) items so far"
        }
    }

    /// `[####----] 1200/3400  3.1 s  Apple Music: tracks`
    static func progress(of status: LibrarySyncStatus, after elapsed: Duration) -> String {
        guard let source = status.sources.first(where: { $0.state == "running" }) else {
            let text = status.state == .queued ? "waiting for a worker" : "comparing the services"
            return "\(ProgressBar.seconds(elapsed))  \(text)"
        }
        let bar = ProgressBar(done: source.found, total: source.total ?? 0, elapsed: elapsed)
        let phase = source.phase.map { ": \(TextWidth.printable($0))" } ?? ""
        return "\(bar.text)  \(LibraryTable.name(source.source))\(phase)"
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
            return "Nothing was read: each service was synced in the last five minutes. --force reads it again."
        }
        let merged = status.merged == 1 ? "1 track was merged" : "\(status.merged) tracks were merged"
        return switch status.state {
        case .complete: "The library is synced; \(merged) into others."
        case .partial: "Some of the library could not be synced; \(merged) into others."
        case .failed: "The library could not be synced."
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
