extension DoctorCheck {
    /// Whether the installation has a Ticketmaster API key. The key itself is not shown.
    static let keys = DoctorCheck("keys") { context in
        let ticketmaster = context.configuration.ticketmaster
        guard ticketmaster.apiKey != nil else {
            return [
                .warning(
                    "The installation has no Ticketmaster API key: only people who saved their own key find new "
                        + "concerts.",
                    "Get one at developer.ticketmaster.com, put it into a file of mode 0600, and name that file in "
                        + "ticketmaster.apiKeyFile; or let each person enter their own in Setup.")
            ]
        }
        let origin = ticketmaster.apiKeyFile.map { ", from \($0)" } ?? ""
        return [.ok("The installation has a Ticketmaster API key\(origin).")]
    }
}
