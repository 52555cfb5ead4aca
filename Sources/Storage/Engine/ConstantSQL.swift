/// A statement that never changes, for the few that run once a job: its text is neither built nor
/// hashed again for each run, which took a tenth of the time that such a write holds the lock.
///
/// Everything else is an ``SQL``, whose values stand where they belong.
package final class ConstantSQL: Sendable {
    /// With `?` for each value; the same for every database.
    let text: String

    package init(_ text: String) {
        self.text = text
    }
}
