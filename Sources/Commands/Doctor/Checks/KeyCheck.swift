extension DoctorCheck {
    /// Whether Ticketmaster can be asked with a key of the installation's. Keys themselves are not shown.
    static let keys = DoctorCheck("keys") { context in
        let ticketmaster = context.configuration.ticketmaster
        guard ticketmaster.apiKey != nil else {
            return [
                .warning(
                    "There is no key for Ticketmaster that is everybody's: only people who saved one of their own find "
                        + "new concerts.",
                    "Get one at developer.ticketmaster.com, put it into a file of mode 0600, and name that file in "
                        + "ticketmaster.apiKeyFile; or let each person enter their own in Setup.")
            ]
        }
        let origin = ticketmaster.apiKeyFile.map { ", from \($0)" } ?? ""
        return [.ok("Ticketmaster's is there\(origin).")]
    }
}
