import Contracts

/// A job on its way to a worker.
struct PipelineJob: Sendable {
    var id: String
    var run: Int64
    var kind: String
    var payload: String
}

/// The frames that the processes of the pipeline exchange.
enum PipelineFrame {
    static func encoded(jobs: some Collection<PipelineJob>) -> [UInt8] {
        var writer = WireWriter(reserving: 128 * jobs.count)
        writer.write(list: Array(jobs)) {
            $0.write($1.id)
            $0.write($1.run)
            $0.write($1.kind)
            $0.write($1.payload)
        }
        return writer.bytes
    }

    static func jobs(_ frame: [UInt8]) throws -> [PipelineJob] {
        var reader = WireReader(frame)
        return try reader.readList {
            PipelineJob(id: try $0.readText(), run: try $0.read(), kind: try $0.readText(), payload: try $0.readText())
        }
    }

    /// The jobs that are done. A worker's first frame has none.
    static func encoded(done: [PipelineJob]) -> [UInt8] {
        var writer = WireWriter(reserving: 64 * done.count + 16)
        writer.write(list: done) {
            $0.write($1.id)
            $0.write($1.run)
        }
        return writer.bytes
    }

    static func done(_ frame: [UInt8]) throws -> [(id: String, run: Int64)] {
        var reader = WireReader(frame)
        return try reader.readList { (try $0.readText(), try $0.read()) }
    }
}
