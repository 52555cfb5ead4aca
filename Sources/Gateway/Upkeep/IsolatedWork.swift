/// The work of an upkeep step for one person, or one row, after the other. An error with one does not keep the others
/// from their turn: otherwise one person's damaged rows would stop the step for everybody after them.
package struct IsolatedWork {
    private var firstError: (any Error)?

    package init() {}

    /// Does the work for one of them, and stores its error for the end.
    ///
    /// - Returns: whether it was done.
    /// - Throws: `CancellationError` at once.
    @discardableResult
    package mutating func attempt(_ work: () async throws -> Void) async throws -> Bool {
        do {
            try await work()
            return true
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            firstError = firstError ?? error
            return false
        }
    }

    /// - Throws: the first error, once all had their turn.
    package func finish() throws {
        if let firstError { throw firstError }
    }
}
