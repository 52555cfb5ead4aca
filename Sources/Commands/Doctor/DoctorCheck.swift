/// One group of things that `doctor` looks at.
struct DoctorCheck: Sendable {
    let name: String
    private let look: @Sendable (DoctorContext) async throws -> [Finding]

    /// - Parameter look: what it throws becomes a problem of its own.
    init(_ name: String, _ look: @escaping @Sendable (DoctorContext) async throws -> [Finding]) {
        self.name = name
        self.look = look
    }

    func findings(in context: DoctorContext) async -> [Finding] {
        var findings: [Finding]
        do {
            findings = try await look(context)
        } catch {
            findings = [
                .problem("This could not be looked at: \(error)", "Mend what stands above first, and ask again.")
            ]
        }
        for index in findings.indices { findings[index].check = name }
        return findings
    }

    /// In the order in which what is wrong explains what follows.
    static let all: [DoctorCheck] = [
        .configuration, .libraries, .files, .wire, .disk, .database, .writeLock, .cleaning, .clock, .gateway, .workers,
        .keys, .vault, .permits, .queue,
    ]
}
