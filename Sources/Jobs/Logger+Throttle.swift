import Logging
import Telemetry

extension Logger {
    /// Logs a line unless too many like it were logged of late; the next one then says how many were left out.
    package func log(
        level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata = [:],
        throttle: LogThrottle
    ) {
        guard level >= logLevel, let leftOut = throttle.admit() else { return }
        var metadata = metadata()
        if leftOut > 0 { metadata["alikeLeftOut"] = "\(leftOut)" }
        log(level: level, message(), metadata: metadata)
    }
}
