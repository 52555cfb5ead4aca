import CZeroMQ

/// The version of the loaded libzmq, such as `4.3.4`, for startup logs and `doctor`.
package let libraryVersion: String = {
    var major: Int32 = 0
    var minor: Int32 = 0
    var patch: Int32 = 0
    zmq_version(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
}()

/// Whether the library was built with CURVE (zmq_has(3)).
package let libraryHasCurve = zmq_has("curve") == 1
