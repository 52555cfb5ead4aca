/// One check of `doctor`, which may have several findings.
struct DoctorCheck: Sendable {
    let name: String
    private let run: @Sendable (DoctorContext) async throws -> [Finding]

    /// - Parameter run: an error that it throws becomes a finding.
    init(_ name: String, _ run: @escaping @Sendable (DoctorContext) async throws -> [Finding]) {
        self.name = name
        self.run = run
    }

    func findings(in context: DoctorContext) async -> [Finding] {
        var findings: [Finding]
        do {
            findings = try await run(context)
        } catch {
            findings = [
                .problem("This could not be checked: \(error)", "Fix the problems above first, then run this again.")
            ]
        }
        for index in findings.indices { findings[index].check = name }
        return findings
    }

    /// All checks. Each comes after the checks whose problems may be the cause of its own.
    static let all: [DoctorCheck] = [
        .configuration, .libraries, .files, .messaging, .disk, .database, .writeLock, .cleaning, .clock, .gateway,
        .workers, .keys, .vault, .texts, .permits, .queue, .pushes,
    ]
}
