import CCurl
import Foundation
import Model

/// The loop of the transport's thread. No other thread touches it.
final class TransportLoop {
    /// The longest poll, in milliseconds. A posted command or a transfer's timer ends it sooner.
    private static let longestPoll: Int32 = 3_600_000
    /// How many connections are pooled for later requests, across all providers.
    private static let pooledConnections = 32

    private let mailbox: TransportMailbox
    private let userAgent: String
    private let multi: UnsafeMutableRawPointer
    private var transfers: [UInt64: Transfer] = [:]
    private var stopped: [@Sendable () -> Void] = []
    private var isStopping = false

    init(mailbox: TransportMailbox, userAgent: String) {
        self.mailbox = mailbox
        self.userAgent = userAgent
        guard let multi = curl_multi_init() else { preconditionFailure("no memory for a libcurl handle") }
        self.multi = multi
        _ = ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.pooledConnections)
        mailbox.open(polling: multi)
    }

    func run() {
        blockSignals()
        while true {
            for command in mailbox.take() { handle(command) }
            if isStopping { break }
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            finishCompleted()
            curl_multi_poll(multi, nil, 0, Self.longestPoll, nil)
        }
        for command in mailbox.close() { handle(command) }
        for transfer in transfers.values {
            end(transfer, with: .cancelled)
        }
        curl_multi_cleanup(multi)
        for callback in stopped { callback() }
    }

    private func handle(_ command: TransportMailbox.Command) {
        switch command {
        case .start(let order, let continuation):
            guard !isStopping else { return continuation.resume(returning: .afterShutdown) }
            guard !order.isCancelled else {
                return continuation.resume(
                    returning: Exchange(outcome: .cancelled, mayHaveLeft: false, endedAt: .now()))
            }
            let transfer = Transfer(order, userAgent: userAgent, continuation: continuation)
            transfers[order.id] = transfer
            guard curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
                return end(transfer, with: .failed(.connectionFailed("libcurl did not accept the request")))
            }
        case .cancel(let id):
            if let transfer = transfers[id] { end(transfer, with: .cancelled) }
        case .probe(let answer):
            answer()
        case .stop(let callback):
            isStopping = true
            stopped.append(callback)
        }
    }

    private func finishCompleted() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            let code = ccurl_message_result(message)
            guard let transfer = transfers.values.first(where: { $0.easy == easy }) else { continue }
            end(transfer, with: transfer.outcome(code))
        }
    }

    private func end(_ transfer: Transfer, with outcome: Exchange.Outcome) {
        let endedAt = MonotonicInstant.now()
        if case .failed(.timedOut) = outcome {
            // libcurl closes an HTTP/1 connection that timed out, but keeps an HTTP/2 connection open.
            let socket = ccurl_active_socket(transfer.easy)
            if socket != CURL_SOCKET_BAD { _ = ccurl_reset_connection(socket) }
        }
        curl_multi_remove_handle(multi, transfer.easy)
        transfers[transfer.order.id] = nil
        transfer.finish(Exchange(outcome: outcome, mayHaveLeft: transfer.mayHaveLeft, endedAt: endedAt))
    }

    /// Leaves signals to the other threads; a SIGPIPE from a TLS write must not end the process.
    private func blockSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
    }
}
