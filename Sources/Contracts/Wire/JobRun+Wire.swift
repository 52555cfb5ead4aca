import Model

extension WireWriter {
    mutating func write(_ run: JobRun) {
        write(run.jobID)
        write(run.run)
    }
}

extension WireReader {
    mutating func readRun() throws -> JobRun {
        JobRun(jobID: try readText(), run: try read())
    }
}
