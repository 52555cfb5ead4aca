import Foundation
import Synchronization
import Upstream

/// Answers every call alike in the place of the network, and remembers what it was asked.
final class ScriptedUpstream: Sendable {
    private let answer: UpstreamResponse
    private let log = Mutex<[UpstreamRequest]>([])

    init(_ answer: UpstreamResponse) {
        self.answer = answer
    }

    var requests: [UpstreamRequest] { log.withLock { $0 } }

    func send(_ request: UpstreamRequest) -> UpstreamResponse {
        log.withLock { $0.append(request) }
        return answer
    }
}

extension UpstreamResponse {
    static func json(_ text: String, _ status: Int = 200) -> UpstreamResponse {
        json(Data(text.utf8), status)
    }

    static func json(_ data: Data, _ status: Int = 200) -> UpstreamResponse {
        UpstreamResponse(status: status, headers: ["content-type": "application/json"], body: Array(data))
    }
}
