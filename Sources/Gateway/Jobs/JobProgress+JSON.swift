import Contracts

extension JobProgress {
    /// As jobs and event streams show it: what a handler did not say is left out.
    func writeMembers(to json: inout JSONWriter) {
        if let phase { json.member("phase", phase) }
        json.member("done", Int(done))
        json.member("total", Int(total))
        guard !counts.isEmpty else { return }
        json.member("counts") { json in
            json.object {
                // Their names are of letters and digits.
                for (name, value) in sortedCounts { $0.member(plain: name, Int(value)) }
            }
        }
    }
}
