/// The most lines about one problem that a process may have logged since it started.
///
/// A process limits the lines for each cause (`LogThrottle`), so that their number grows with the duration of a test,
/// and not with the number of failures.
///
/// - Parameter number: the number for the first moments, for all causes together.
func mostLines(_ number: Int, since began: ContinuousClock.Instant) -> Int {
    number + 2 * Int(began.duration(to: .now).components.seconds)
}
