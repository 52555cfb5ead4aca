import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

/// A problem as a client reads it.
struct ProblemView: Decodable {
    var type: String
    var title: String
    var status: Int
    var code: String
    var detail: String
    var field: String?
}

extension TestResponse {
    var problem: ProblemView {
        get throws {
            #expect(headers[.contentType] == "application/problem+json")
            return try JSONDecoder().decode(ProblemView.self, from: Data(body.readableBytesView))
        }
    }
}
