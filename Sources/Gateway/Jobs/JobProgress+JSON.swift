import Contracts

extension JobProgress {
    /// Writes the members that jobs and event streams show. Members that the handler did not set are left out.
    func writeMembers(to json: inout JSONWriter) {
        if let phase { json.member("phase", phase) }
        json.member("done", Int(done))
        json.member("total", Int(total))
        guard !counts.isEmpty else { return }
        json.member("counts") { json in
            json.object {
                // The names have letters and digits only, so nothing needs escaping.
                for (name, value) in sortedCounts { $0.member(plain: name, Int(value)) }
            }
        }
    }
}
