extension JobKind {
    static let diagnostics = [TypedJobKind.diagnosticsEcho.kind]
}

extension TypedJobKind where Payload == JSONText, Result == JSONText {
    /// Gives its payload back, after `sleepMs` if that is set. Every worker answers it: operators
    /// see with it that the queue is alive, benchmarks load it.
    package static var diagnosticsEcho: Self {
        Self(
            verbatim: JobKind(
                name: "diagnostics.echo", version: 1, submitter: .user, maximumRunTime: .seconds(900)))
    }
}
