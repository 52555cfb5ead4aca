extension Migration {
    /// Secrets that only workers can open.
    static let sealedForWorkers = Migration(number: 22, name: "sealed for workers", statements: [])
}
