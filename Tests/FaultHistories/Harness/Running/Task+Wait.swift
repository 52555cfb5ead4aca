extension Task where Success == Void, Failure == Never {
    /// Waits until it has ended, for the given time at most.
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
