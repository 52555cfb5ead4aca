import Model
import TestSupport
import Ticketmaster
import Upstream

extension ScriptedUpstream {
    func client(key: String? = "secret-key") -> TicketmasterClient {
        TicketmasterClient(key: key.map { Secret($0) }) { [self] request in send(request) }
    }
}

extension UpstreamResponse {
    /// A page with the events given as JSON objects.
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
