import Model
import Storage

/// The progress of a sync with a source.
struct SourceStatus {
    let state: String
    let hasBegun: Bool
    /// Whether the sync no longer reads the source.
    var hasEnded: Bool { ["complete", "skipped", "failed"].contains(state) }
    /// Whether the source is waiting until it can be read again, with the error that explains why.
    let isPaused: Bool

    init(row: Row) throws {
        state = try row["state"]
        let (phase, error): (String?, String?) = (try row["phase"], try row["error_code"])
        // A source that waits after an error was being read.
        hasBegun = state != "waiting" || phase != nil || error != nil
        isPaused = state == "waiting" && error != nil
    }
}
