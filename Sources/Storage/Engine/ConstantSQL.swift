/// A statement that never changes, for the few that run once a job: its text is neither built nor
/// hashed again for each run, which took a tenth of the time that such a write holds the lock.
///
/// Everything else is an ``SQL``, whose values stand where they belong.
package struct ConstantSQL: Sendable {
    /// With `?` for each value.
    let text: StaticString

    package init(_ text: StaticString) {
        // A literal of one character has no address to be known by.
        precondition(text.hasPointerRepresentation, "A statement is longer than one character.")
        self.text = text
    }

    /// Two literals never share an address unless they share their text.
    var identity: UnsafePointer<UInt8> { text.utf8Start }
}
