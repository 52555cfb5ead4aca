import CZeroMQ
import Messaging
import Testing

/// A plain libzmq socket that sends messages which no worker or gateway would, and never reads.
///
/// It must stay on one thread.
struct RawPeer: ~Copyable {
    private let context: UnsafeMutableRawPointer
    private let socket: UnsafeMutableRawPointer

    /// Connects to a gateway.
    init(connectingTo endpoint: String, as name: String) throws {
        let context = try #require(zmq_ctx_new())
        let socket = try #require(zmq_socket(context, ZMQ_DEALER))
        (self.context, self.socket) = (context, socket)
        var (noLinger, oneMessage): (Int32, Int32) = (0, 1)
        #expect(zmq_setsockopt(socket, ZMQ_LINGER, &noLinger, 4) == 0)
        #expect(zmq_setsockopt(socket, ZMQ_RCVHWM, &oneMessage, 4) == 0)
        #expect(zmq_setsockopt(socket, ZMQ_ROUTING_ID, name, name.utf8.count) == 0)
        #expect(zmq_connect(socket, endpoint) == 0)
    }

    /// Sends one message of these frames, and waits while its own queue is full.
    func send(_ frames: [[UInt8]]) {
        for (index, frame) in frames.enumerated() {
            let more = index + 1 < frames.count ? ZMQ_SNDMORE : 0
            #expect(zmq_send(socket, frame, frame.count, more) == Int32(frame.count))
        }
    }

    func send(_ frame: [UInt8]) {
        send([frame])
    }

    consuming func close() {
        zmq_close(socket)
        zmq_ctx_term(context)
    }
}
