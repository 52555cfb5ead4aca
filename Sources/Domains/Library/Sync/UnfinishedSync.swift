import Model
import Storage

/// A sync that has not ended.
struct UnfinishedSync: Sendable {
    var id: String
    var number: Int64
    var sources: Set<MusicSource>
    var isSingle: Bool
    var isForced: Bool
    var isRunning: Bool

    init(row: Row) throws {
        id = try row["id"]
        number = try row["number"]
        sources = [MusicSource](mask: try row["sources"]).reduce(into: []) { $0.insert($1) }
        isSingle = try row["is_single"]
        isForced = try row["is_forced"]
        isRunning = try row["state"] as String == "running"
    }
}
