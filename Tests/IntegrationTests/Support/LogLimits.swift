/// The most lines about one trouble that a process may log in the time since it began.
///
/// A process limits the lines for each cause (`LogThrottle`), so that their number grows with the time that a test
/// takes, and not with the number of failures.
///
/// - Parameter number: for the first moments, all causes together.
func mostLines(_ number: Int, since began: ContinuousClock.Instant) -> Int {
    number + 2 * Int(began.duration(to: .now).components.seconds)
}
