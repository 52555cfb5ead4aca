import Foundation
import Model
import Synchronization
import Ticketmaster
import Upstream

/// What stands where the network would: answers with what it was given and remembers what it was asked.
final class ScriptedUpstream: Sendable {
    private let answer: UpstreamResponse
    private let log = Mutex<[UpstreamRequest]>([])

    init(_ answer: UpstreamResponse) {
        self.answer = answer
    }

    var requests: [UpstreamRequest] { log.withLock { $0 } }

    func client(key: String? = "secret-key") -> TicketmasterClient {
        TicketmasterClient(key: key.map { Secret($0) }) { [self] request in
            log.withLock { $0.append(request) }
            return answer
        }
    }
}

extension UpstreamResponse {
    static func json(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> UpstreamResponse {
        UpstreamResponse(
            status: status,
            headers: headers.merging(["content-type": "application/json;charset=utf-8"]) { first, _ in first },
            body: Array(text.utf8))
    }

    static func json(_ data: Data, status: Int = 200) -> UpstreamResponse {
        json(String(decoding: data, as: UTF8.self), status: status)
    }

    /// A page that holds the events written as JSON objects.
    static func events(_ events: String..., total: Int? = nil) -> UpstreamResponse {
        json(
            """
            {"_embedded": {"events": [\(events.joined(separator: ","))]},
             "page": {"size": 200, "totalElements": \(total ?? events.count), "totalPages": 1, "number": 0}}
            """)
    }
}

extension UpstreamRequest {
    func value(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
