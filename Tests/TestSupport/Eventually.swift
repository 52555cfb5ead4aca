/// A wait that reached its time limit.
package struct WaitTimeout: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}

/// Calls `look` repeatedly, with growing pauses, until it returns a value.
///
/// The limit only ends a test that waits for something that never happens. It is far longer than any wait takes, and no
/// test concludes anything from the length of a wait. Time limits of suites are longer than this.
///
/// - Parameter what: completes the sentence "Timed out waiting for …".
/// - Throws: ``WaitTimeout``, what `look` throws, or `CancellationError`.
package func eventually<Value>(
    _ what: String, within limit: Duration = .seconds(300), look: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now.advanced(by: limit)
    var pause = Duration.milliseconds(2)
    while true {
        if let found = try await look() { return found }
        guard ContinuousClock.now < deadline else { throw WaitTimeout(description: "Timed out waiting for \(what).") }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(50))
    }
}

/// Like ``eventually(_:within:look:)``, for a condition.
package func eventually(
    _ what: String, within limit: Duration = .seconds(300), isTrue: () async throws -> Bool
) async throws {
    try await eventually(what, within: limit) { try await isTrue() ? () : nil }
}
