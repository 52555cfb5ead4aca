import Model

extension WireWriter {
    mutating func write(_ run: JobRun) {
        write(run.jobID)
        write(run.run)
    }

    mutating func write(_ report: RunProgress) {
        let progress = report.progress
        write(report.run)
        write(progress.phase ?? "")
        write(progress.done)
        write(progress.total)
        write(list: progress.sortedCounts) {
            $0.write($1.name)
            $0.write($1.value)
        }
    }
}

extension WireReader {
    mutating func readRun() throws -> JobRun {
        JobRun(jobID: try readText(), run: try read())
    }

    /// Refuses progress that is larger than ``JobProgress`` allows, since it is stored and sent to clients.
    mutating func readProgress() throws -> RunProgress {
        let run = try readRun()
        let phase = try readText()
        guard phase.isEmpty || JobProgress.isName(phase) else { throw WireError.unknownValue }
        let (done, total) = (try read(Int32.self), try read(Int32.self))
        let counts = try readList { (name: try $0.readText(), value: try $0.read(Int64.self)) }
        guard counts.count <= JobProgress.maximumCounts, counts.allSatisfy({ JobProgress.isName($0.name) }) else {
            throw WireError.unknownValue
        }
        return RunProgress(
            run: run,
            JobProgress(
                phase: phase.isEmpty ? nil : phase, done: done, total: total,
                counts: Dictionary(counts.map { ($0.name, $0.value) }) { $1 }))
    }
}
