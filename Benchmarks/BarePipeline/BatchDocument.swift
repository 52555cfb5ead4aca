import Foundation
import Model

/// The body of a batch, read with Foundation's decoder.
struct BatchDocument: Decodable {
    struct Job: Decodable {
        var kind: String
        var payload: [String: String]
    }

    var jobs: [Job]

    /// The jobs of a document, with new ids.
    static func jobs(_ document: Data) throws -> [PipelineJob] {
        let encoder = JSONEncoder()
        return try JSONDecoder().decode(BatchDocument.self, from: document).jobs.map { job in
            PipelineJob(
                id: UUIDv7.next(), run: 1, kind: job.kind,
                payload: String(decoding: try encoder.encode(job.payload), as: UTF8.self))
        }
    }
}
