/// How a process ends, by the numbers of sysexits(3) where it has one.
package enum ProcessStatus: Int32, Sendable {
    case success = 0
    /// A service failed, or did not end within its grace period.
    case failure = 1
    /// EX_USAGE: the command line makes no sense.
    case usage = 64
    /// EX_CONFIG: the configuration cannot be used.
    case configuration = 78
}
