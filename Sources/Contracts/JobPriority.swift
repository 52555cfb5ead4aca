/// How urgent a job is: −100 … 100, more is sooner. Waiting raises it, so that nothing starves.
package enum JobPriority {
    package static let range = -100...100
    package static let standard = 0
    /// Somebody looks at a screen and waits.
    package static let interactive = 10
}
