import CommandSupport

/// The lines below the table: how much was found, and what is missing.
struct SearchSummary {
    let status: SearchStatus
    let shows: [SearchShow]
    let homeCity: String?

    init(_ report: SearchReport, homeCity: String?) {
        self.init(status: report.status, shows: report.shows, homeCity: homeCity)
    }

    init(status: SearchStatus, shows: [SearchShow], homeCity: String?) {
        self.status = status
        self.shows = shows
        self.homeCity = homeCity
    }

    /// - Parameter isColored: whether warnings are colored.
    func lines(isColored: Bool) -> [String] {
        [legend, count, state, notFound].compactMap { $0 } + warnings(isColored: isColored)
    }

    /// Explains the mark in the table.
    var legend: String? {
        guard let homeCity else { return nil }
        let city = TextWidth.printable(homeCity)
        switch shows.count(where: \.isHomeCity) {
        case 0: return shows.isEmpty ? nil : "None of them is in \(city), your home city."
        case let count: return "\(ConcertTable.homeMark) in \(city), your home city: \(Self.number(count, "show"))"
        }
    }

    /// `37 shows of 12 artists (20 searched).`
    var count: String {
        let total = status.progress.total
        guard !shows.isEmpty else {
            return "No shows were found (\(Self.number(total, "artist")) searched)."
        }
        // Support acts that were not searched for do not count.
        let asked = Set(status.coverage.map(\.artist))
        let artists = Set(shows.flatMap { [$0.artistName] + $0.additionalArtists.filter(asked.contains) }).count
        let searched = artists == total ? "" : " (\(total) searched)"
        return "\(Self.number(shows.count, "show")) of \(Self.number(artists, "artist"))\(searched)."
    }

    /// Explains a search that is not complete.
    var state: String? {
        let (done, total) = (status.progress.done, status.progress.total)
        return switch status.state {
        case .complete: nil
        case .running: "The search is still running: \(done) of \(Self.number(total, "artist")) are done."
        case .cancelled: "The search was cancelled when \(done) of \(Self.number(total, "artist")) were done."
        case .partial: "The result is not complete. It includes shows that were known before."
        case .failed: "The search failed. The result has only shows that were known before."
        }
    }

    var notFound: String? {
        let names = status.coverage.filter { $0.status == .notFound }.map(\.artist)
        return names.isEmpty ? nil : "Ticketmaster does not know \(TextWidth.printable(names, joinedBy: "or"))."
    }

    /// `warning: ARTIST: what happened. What to do.` Artists with the same warning share a line.
    func warnings(isColored: Bool) -> [String] {
        var groups: [(text: String, artists: [String])] = []
        for warning in status.warnings {
            let text = TextWidth.printable("\(warning.message) \(warning.recovery)")
            let artists = warning.artist.map { [$0] } ?? []
            if let index = groups.firstIndex(where: { $0.text == text }) {
                groups[index].artists += artists
            } else {
                groups.append((text, artists))
            }
        }
        let title = isColored ? TextStyle.yellow.applied(to: "warning:") : "warning:"
        return groups.map { group in
            group.artists.isEmpty
                ? "\(title) \(group.text)"
                : "\(title) \(TextWidth.printable(group.artists, joinedBy: "and")): \(group.text)"
        }
    }

    private static func number(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }
}
