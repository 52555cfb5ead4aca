import CommandSupport
import Model

/// Jobs as a table, and one job as lines.
struct JobTable {
    let jobs: [JobEntry]
    let now: Timestamp

    var columns: [TableColumn] {
        [
            TableColumn(title: "Id", cells: jobs.map { .init($0.id) }),
            TableColumn(
                title: "Kind", cells: jobs.map { .init(TextWidth.printable($0.kind)) }, minimum: 10, dropOrder: 5),
            TableColumn(
                title: "User", cells: jobs.map { .init($0.userName.map(TextWidth.printable) ?? "") }, minimum: 6),
            TableColumn(title: "State", cells: jobs.map { .init($0.state.rawValue, style: Self.style(of: $0.state)) }),
            TableColumn(title: "Attempt", cells: jobs.map { .init("\($0.attempt)") }, dropOrder: 2, isNumber: true),
            TableColumn(
                title: "Progress", cells: jobs.map { .init($0.progress.map { "\($0.done)/\($0.total)" } ?? "") },
                dropOrder: 3, isNumber: true),
            TableColumn(
                title: "Submitted", cells: jobs.map { .init(HumanTime.text(rfc3339: $0.createdAt)) }, dropOrder: 4),
            TableColumn(
                title: "Ran", cells: jobs.map { .init($0.runTime(until: now).map(ProgressBar.seconds) ?? "") },
                dropOrder: 1,
                isNumber: true),
            TableColumn(title: "Error", cells: jobs.map { .init(Self.error(of: $0)) }, minimum: 12, dropOrder: 6),
        ]
    }

    static func style(of state: JobState) -> TextStyle? {
        switch state {
        case .succeeded: .green
        case .failed: .red
        case .cancelled: .yellow
        case .scheduled, .queued: .faint
        case .running: nil
        }
    }

    static func error(of job: JobEntry) -> String {
        guard let error = job.error else { return "" }
        return TextWidth.printable([error.code, error.message].compactMap { $0 }.joined(separator: ": "))
    }

    /// All fields of one job, one per line.
    static func lines(for job: JobEntry, now: Timestamp) -> [String] {
        var facts: [(String, String)] = [
            ("Job", job.id), ("Kind", TextWidth.printable(job.kind)), ("State", job.state.rawValue),
            ("Priority", "\(job.priority)"), ("Attempt", "\(job.attempt)"),
        ]
        if let progress = job.progress { facts.append(("Progress", TextWidth.printable(progress.text))) }
        facts.append(("Submitted", HumanTime.text(rfc3339: job.createdAt)))
        if let waitsFor = job.waitsFor { facts.append(("Waits for", TextWidth.printable(waitsFor.text))) }
        if job.state == .scheduled, let runAt = job.runAt { facts.append(("Due", HumanTime.text(rfc3339: runAt))) }
        if let start = job.startedAt { facts.append(("Started", HumanTime.text(rfc3339: start))) }
        if let end = job.finishedAt { facts.append(("Ended", HumanTime.text(rfc3339: end))) }
        if let time = job.runTime(until: now) { facts.append(("Ran", ProgressBar.seconds(time))) }
        if job.error != nil { facts.append(("Error", error(of: job))) }
        for attempt in job.attempts ?? [] {
            let text = [attempt.code, attempt.message].compactMap { $0 }.joined(separator: ": ")
            let time = attempt.finishedAt.map { " (\(HumanTime.text(rfc3339: $0)))" } ?? ""
            facts.append(("Attempt \(attempt.attempt)", TextWidth.printable(text) + time))
        }
        let width = facts.map(\.0.count).max() ?? 0
        return facts.map { $0.0 + String(repeating: " ", count: width + 2 - $0.0.count) + $0.1 }
    }
}
