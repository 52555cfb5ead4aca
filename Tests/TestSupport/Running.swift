/// Runs `body` and then `end`, even if `body` fails.
package func running<Value>(
    _ body: () async throws -> Value, thenAlways end: () async -> Void
) async throws -> Value {
    let result: Result<Value, any Error>
    do {
        result = .success(try await body())
    } catch {
        result = .failure(error)
    }
    await end()
    return try result.get()
}
