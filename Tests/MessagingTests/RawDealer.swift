import CZeroMQ
import Testing

@testable import Messaging

/// A plain libzmq DEALER that can send messages which ``MessageDealer`` never does, and never reads.
struct RawDealer: ~Copyable {
    private let context: UnsafeMutableRawPointer
    private let socket: UnsafeMutableRawPointer

    init(_ endpoint: Endpoint, as name: String) throws {
        let context = try #require(zmq_ctx_new())
        let socket = try #require(zmq_socket(context, ZMQ_DEALER))
        (self.context, self.socket) = (context, socket)
        var (noLinger, oneMessage): (Int32, Int32) = (0, 1)
        #expect(zmq_setsockopt(socket, ZMQ_LINGER, &noLinger, 4) == 0)
        #expect(zmq_setsockopt(socket, ZMQ_RCVHWM, &oneMessage, 4) == 0)
        #expect(zmq_setsockopt(socket, ZMQ_ROUTING_ID, name, name.utf8.count) == 0)
        #expect(zmq_connect(socket, endpoint.description) == 0)
    }

    /// Sends one message of these frames; never waits, with a queue of 1,000 messages.
    func send(_ frames: [[UInt8]]) {
        for (index, frame) in frames.enumerated() {
            let more = index + 1 < frames.count ? ZMQ_SNDMORE : 0
            #expect(zmq_send(socket, frame, frame.count, more) == frame.count)
        }
    }

    consuming func close() {
        zmq_close(socket)
        zmq_ctx_term(context)
    }
}
