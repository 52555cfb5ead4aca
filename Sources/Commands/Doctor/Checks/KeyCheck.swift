extension DoctorCheck {
    /// Whether the upstreams can be asked. Keys themselves are not shown.
    static let keys = DoctorCheck("keys") { context in
        let ticketmaster = context.configuration.ticketmaster
        guard ticketmaster.apiKey != nil else {
            return [
                .warning(
                    "There is no key for Ticketmaster: concert searches find only what is known already.",
                    "Get one at developer.ticketmaster.com, put it into a file of mode 0600, and name that file in "
                        + "ticketmaster.apiKeyFile.")
            ]
        }
        let origin = ticketmaster.apiKeyFile.map { ", from \($0)" } ?? ""
        return [.ok("Ticketmaster's is there\(origin).")]
    }
}
