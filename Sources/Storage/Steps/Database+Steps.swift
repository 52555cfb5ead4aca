extension Database {
    /// Deletes or changes rows in steps that each hold the write lock for 20 ms at most.
    ///
    /// - Parameter step: writes at most the given number of rows, and returns how many it wrote; 0 if none is left.
    package func deleteInSteps(
        _ step: @escaping @Sendable (_ transaction: WriteTransaction, _ limit: Int) throws -> Int
    ) async throws {
        var size = StepSize(units: 50, maximum: 500)
        while true {
            let limit = size.units
            let (count, held) = try await writeAlone { try step($0, limit) }
            if count == 0 { return }
            size.took(held, for: count)
            // The pause is as long as the step, so that others get half of the time.
            try await Task.sleep(for: min(held, .seconds(1)))
        }
    }
}
