/// Runs `body` in a task that is cancelled before `body` begins, so that it ends at the first wait that notices that.
package func withCancelledTask<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await body()
    }
    return try await task.value
}
