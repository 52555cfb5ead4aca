extension Task where Success == Void, Failure == Never {
    /// Waits until the task has ended, but at most for the given time.
    func wait(atMost limit: Duration) async {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        Task {
            await value
            continuation.finish()
        }
        let alarm = Task {
            try? await Task<Never, Never>.sleep(for: limit)
            continuation.finish()
        }
        for await _ in ends {}
        alarm.cancel()
    }
}
