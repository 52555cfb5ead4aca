extension SQLReader {
    /// The number of the last change to anything that event streams report.
    package func lastChange() throws -> Int64 {
        try row("SELECT value FROM change_sequence")?["value"] ?? 0
    }
}
