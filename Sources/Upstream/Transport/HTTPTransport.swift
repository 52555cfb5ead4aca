import CCurl
import Foundation
import Model
import Platform

/// HTTP through libcurl's multi interface, on its own thread that sleeps while nothing happens.
///
/// - HTTP/2 over TLS if the server offers it, connections kept alive, gzip and brotli decoded.
/// - Redirects are not followed; TLS is always verified; only http and https are allowed.
/// - One call to ``send(_:to:limits:admission:)`` sends at most one request. libcurl repeats a request by itself when a
///   pooled connection turns out to be dead; that second send is refused here.
/// - `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` from the environment are respected, but never for loopback addresses.
package final class HTTPTransport: Sendable {
    private let mailbox = TransportMailbox()

    /// Starts the thread.
    ///
    /// - Parameter userAgent: the `User-Agent` of every request.
    package init(userAgent: String = "Backline") {
        precondition(Self.globalInitialisation == CURLE_OK, "libcurl could not be initialized")
        let mailbox = mailbox
        NamedThread.start("http-transport") {
            TransportLoop(mailbox: mailbox, userAgent: userAgent).run()
        }
    }

    deinit {
        mailbox.post(.stop(then: {}))
    }

    /// Sends `request` once and waits for its whole answer, whatever its status.
    ///
    /// Cancelling the task cancels the transfer.
    ///
    /// - Parameters:
    ///   - admission: called on the transport's thread, at most once, when the connection is established and the
    ///     request is about to be written; must return at once. When it returns `false`, nothing is sent.
    ///   - receive: receives the body of a successful answer in parts as it arrives, on the transport's thread; the
    ///     exchange's answer then has no body. The first part is empty, and signals that the answer has begun.
    package func send(
        _ request: UpstreamRequest, to base: BaseURL, limits: TransferLimits = TransferLimits(),
        admission: @escaping @Sendable () -> Bool = { true }, receive: (@Sendable ([UInt8]) -> Void)? = nil
    ) async -> Exchange {
        let order: TransferOrder
        do {
            order = try TransferOrder(request, to: base, limits: limits, admission: admission, receive: receive)
        } catch {
            return Exchange(outcome: .failed(error), mayHaveLeft: false, endedAt: .now())
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if !mailbox.post(.start(order, continuation)) {
                    continuation.resume(returning: .afterShutdown)
                }
            }
        } onCancel: {
            order.cancel()
            mailbox.post(.cancel(order.id))
        }
    }

    /// Cancels all transfers, closes every connection and ends the thread. Later sends fail.
    package func shutdown() async {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.stop(then: { continuation.resume() })) {
                continuation.resume()
            }
        }
    }

    /// Makes the transport's thread call `answer`; a thread that hangs never does.
    package func probe(_ answer: @escaping @Sendable () -> Void) {
        if !mailbox.post(.probe(answer)) { answer() }
    }

    /// The version of the libcurl in use, such as `7.88.1`.
    package static let curlVersion = String(cString: curl_version_info(CURLVERSION_FIRST).pointee.version)

    private static let globalInitialisation = curl_global_init(Int(CURL_GLOBAL_DEFAULT))
}

extension Exchange {
    static var afterShutdown: Exchange {
        let reason = UpstreamError.connectionFailed("the transport has been shut down")
        return Exchange(outcome: .failed(reason), mayHaveLeft: false, endedAt: .now())
    }
}
