import CZeroMQ
import Glibc
import Platform

/// Why an endpoint cannot be used. The loss of single messages is not an error: see ``UndeliverableReason``.
package enum MessagingError: Error, Sendable, Equatable {
    /// The text is not a usable endpoint; `reason` says what is allowed and why.
    case invalidEndpoint(found: String, reason: String)
    /// Another gateway listens at the ipc endpoint. The holder is its process id, if that is known.
    case endpointInUse(Endpoint, holder: Int32?)
    /// The gateway cannot listen at the TCP endpoint.
    case cannotListen(BindError)
    /// Other users could enter the folder of an ipc socket; `remedy` says what to do.
    case folderNotPrivate(path: String, found: String, remedy: String)
    /// A routing id must have 1 to 255 bytes and not start with a zero byte, which libzmq reserves.
    case invalidRoutingID([UInt8])
    /// The endpoint is on a network, and the router or dealer has no keys (``MessagingSecurity``).
    case unprotected(Endpoint)
    /// CURVE is configured for a socket file, or with the keys of the opposite end.
    case unfitSecurity(Endpoint)
    /// A malformed rule of ``MessageFaults``.
    case invalidFaultRule(found: String, reason: String)
    /// A call to the system or to libzmq failed; `code` is its `errno`.
    case callFailed(operation: String, code: Int32)
    /// The router or dealer was closed before it started.
    case closed
}

extension MessagingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidEndpoint(let found, let reason):
            "\"\(found)\" is not a usable messaging endpoint: \(reason)"
        case .endpointInUse(let endpoint, let holder):
            "\(endpoint) is in use by \(holder.map { "process \($0)" } ?? "another process"). Stop that gateway first, "
                + "or give this one another messaging.endpoint."
        case .cannotListen(let error):
            error.description
        case .folderNotPrivate(let path, let found, let remedy):
            "The folder \(path) of the messaging socket must be accessible to its owner only, but it is \(found). "
                + remedy
        case .invalidRoutingID(let bytes):
            "A routing id has 1 to 255 bytes and does not start with a zero byte; found \(bytes.count) bytes, "
                + "the first \(bytes.first.map(String.init) ?? "missing")."
        case .unprotected(let endpoint):
            "\(endpoint) can be reached over a network, so messages there need CURVE. Make the keys: "
                + "'backline keys new --gateway', and 'backline keys new NAME' for each worker's machine. Or stay on "
                + "this machine with ipc://PATH or tcp://127.0.0.1:PORT."
        case .unfitSecurity(let endpoint):
            "These keys cannot be used at \(endpoint)."
        case .invalidFaultRule(let found, let reason):
            "\"\(found)\" is not a message fault: \(reason)"
        case .callFailed(let operation, let code):
            "\(operation) failed: \(String(cString: zmq_strerror(code))) (errno \(code))"
        case .closed:
            "The messaging socket is closed; make a new one."
        }
    }

    /// The error of the latest failed call of this thread, from `errno`.
    static func lastCall(_ operation: String) -> MessagingError {
        .callFailed(operation: operation, code: zmq_errno())
    }
}

/// Why a message was not sent. This is not an error: the job protocol recovers from every loss.
package enum UndeliverableReason: Sendable, Equatable {
    /// No peer with that id is connected (`EHOSTUNREACH`).
    case unreachable
    /// The queue to the peer is at its high-water mark (`EAGAIN`): the peer reads too slowly or not at all.
    case queueFull
    /// The frame is larger than ``MessagingOptions/maximumMessageSize``.
    case tooLarge
    /// libzmq refused the message for another reason, given as `errno`.
    case refused(Int32)
}
