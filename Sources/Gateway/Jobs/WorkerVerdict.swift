/// What somebody waits for who has a worker ask an upstream about something they entered.
enum WorkerVerdict {
    /// How long they wait.
    static let patience = Duration.seconds(15)
}
