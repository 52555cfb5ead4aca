import CZeroMQ

/// A plain libzmq DEALER that sends messages which no worker or gateway would, and never reads.
///
/// It must stay on one thread.
package struct RawDealer: ~Copyable {
    /// A call of libzmq that failed, and its reason.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        init(_ call: String) {
            description = "\(call): \(String(cString: zmq_strerror(zmq_errno())))"
        }
    }

    private let context: UnsafeMutableRawPointer
    private let socket: UnsafeMutableRawPointer

    /// Connects to a router.
    ///
    /// - Parameter name: the routing id.
    package init(connectingTo endpoint: String, as name: String) throws {
        guard let context = zmq_ctx_new() else { throw Failure("zmq_ctx_new") }
        guard let socket = zmq_socket(context, ZMQ_DEALER) else { throw Failure("zmq_socket") }
        var (noLinger, oneMessage): (Int32, Int32) = (0, 1)
        guard zmq_setsockopt(socket, ZMQ_LINGER, &noLinger, 4) == 0,
            zmq_setsockopt(socket, ZMQ_RCVHWM, &oneMessage, 4) == 0,
            zmq_setsockopt(socket, ZMQ_ROUTING_ID, name, name.utf8.count) == 0
        else { throw Failure("zmq_setsockopt") }
        guard zmq_connect(socket, endpoint) == 0 else { throw Failure("zmq_connect") }
        (self.context, self.socket) = (context, socket)
    }

    /// Sends one message of these frames, and waits while its own queue of 1,000 messages is full.
    package func send(_ frames: [[UInt8]]) throws {
        for (index, frame) in frames.enumerated() {
            let more = index + 1 < frames.count ? ZMQ_SNDMORE : 0
            guard zmq_send(socket, frame, frame.count, more) == frame.count else { throw Failure("zmq_send") }
        }
    }

    package consuming func close() {
        zmq_close(socket)
        zmq_ctx_term(context)
    }
}
