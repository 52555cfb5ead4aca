import Logging
import Telemetry

extension Logger {
    /// Logs a line unless the throttle suppresses it. The next line that is logged includes the number of suppressed
    /// ones.
    package func log(
        level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata = [:],
        throttle: LogThrottle
    ) {
        guard level >= logLevel, let suppressed = throttle.admit() else { return }
        var metadata = metadata()
        if suppressed > 0 { metadata["suppressed"] = "\(suppressed)" }
        log(level: level, message(), metadata: metadata)
    }
}
