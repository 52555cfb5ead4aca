import Foundation
import Synchronization
import Upstream

/// A transport that gives every call the same answer, without a network, and records the calls.
package final class ScriptedUpstream: Sendable {
    private let answer: UpstreamResponse
    private let log = Mutex<[UpstreamRequest]>([])

    package init(_ answer: UpstreamResponse) {
        self.answer = answer
    }

    package var requests: [UpstreamRequest] { log.withLock { $0 } }

    package func send(_ request: UpstreamRequest) -> UpstreamResponse {
        log.withLock { $0.append(request) }
        return answer
    }
}

extension UpstreamResponse {
    package static func json(
        _ text: String, _ status: Int = 200, headers: [String: String] = [:]
    ) -> UpstreamResponse {
        json(Data(text.utf8), status, headers: headers)
    }

    package static func json(_ data: Data, _ status: Int = 200, headers: [String: String] = [:]) -> UpstreamResponse {
        let type = ["content-type": "application/json; charset=utf-8"]
        return UpstreamResponse(
            status: status, headers: headers.merging(type) { first, _ in first }, body: Array(data))
    }
}
