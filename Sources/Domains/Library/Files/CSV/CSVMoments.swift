import Model

/// Decides whether the rows of a table are plays, by its headings and by the times in its first rows.
///
/// A time is that of a play only if its heading says so: with a word for playing, or with one such as “Date” where
/// nothing else says what the table is. A time under any other heading may be that of anything, and a play that never
/// happened would stay in the person's statistics.
struct CSVMoments {
    /// The meanings of the columns.
    private(set) var facts: [CSVFact?]

    private let heads: [String]
    private let rows: [[String]]
    /// The columns with times of plays, with times under a heading such as “Date”, and with times under a heading that
    /// does not say what they are.
    private var played: [Int] = []
    private var general: [Int] = []
    private var unnamed: [Int] = []
    /// A column with the days of plays, and one with the times of day.
    private var divided: (day: Int, time: Int)?

    /// - Parameter rows: the first rows of the table.
    init(_ heads: [String], _ rows: [[String]]) {
        (self.heads, self.rows) = (heads, rows)
        facts = heads.map { CSVFact(head: $0) }
        let names = heads.map(CSVFact.normalized)
        // The songs that the person identified, in what Shazam sends about its users.
        if Set(names).isSuperset(of: Self.ofShazam), let date = names.firstIndex(of: "date") { facts[date] = .tagged }
        divided = dividedMoments()
        if let divided { (facts[divided.day], facts[divided.time]) = (nil, nil) }
        let known = Set(facts.compactMap { $0 })
        for (place, head) in heads.enumerated() where place != divided?.day && place != divided?.time {
            switch (facts[place], CSVMomentWords(head: head)) {
            case (.listened, _): played.append(place)
            // “Time” may be a duration or a time of day.
            case (.duration, .general): if areMoments(place) { general.append(place) }
            case (nil, let words): add(place, words, known)
            default: break
            }
        }
    }

    /// Adds a column without a known heading.
    ///
    /// - Parameter known: what the other columns mean. Their headings are more reliable than single words.
    private mutating func add(_ place: Int, _ words: CSVMomentWords?, _ known: Set<CSVFact>) {
        switch words {
        case .added: if areTimes(place) { facts[place] = known.contains(.added) ? .otherMoment : .added }
        case .lastPlayed: if areTimes(place) { facts[place] = known.contains(.lastPlayed) ? .otherMoment : .lastPlayed }
        case .other: if areTimes(place) { facts[place] = .otherMoment }
        case .played: if areMoments(place) { played.append(place) }
        case .general: if areMoments(place) { general.append(place) }
        case nil: if areMoments(place) { unnamed.append(place) }
        }
    }

    private static let ofShazam = ["artist", "title", "status", "date", "longitude", "latitude"]

    /// The columns that together say when a song was played: a day and a time of day, of plays or of anything.
    private func dividedMoments() -> (day: Int, time: Int)? {
        func isOfMoments(_ place: Int) -> Bool {
            if facts[place] == .listened || Self.days.contains(CSVFact.normalized(heads[place])) { return true }
            switch CSVMomentWords(head: heads[place]) {
            case .played, .general: return true
            default: return false
            }
        }
        let places = heads.indices.filter(isOfMoments)
        guard let day = places.first(where: { place in areAll(place, TimestampText.isDay) }),
            let time = places.first(where: { place in
                areAll(place, TimestampText.isTime) && values(place).contains(where: TimestampText.isCertainlyTime)
            })
        else { return nil }
        return (day, time)
    }

    /// Headings that mean the last play next to a count, and the day of a play next to its time of day.
    private static let days: Set<String> = ["playdate"]

    private func areAll(_ place: Int, _ isOfKind: (String) -> Bool) -> Bool {
        let texts = values(place)
        return !texts.isEmpty && texts.allSatisfy(isOfKind)
    }

    /// - Returns: the columns with the times of plays; none for a table of songs. Each time is in one column, or in two: a
    ///   day and a time of day.
    /// - Throws: ``LibraryFileError`` if nothing says which of the two the table is, or if its times cannot be read.
    func listened() throws(LibraryFileError) -> [[Int]] {
        let known = Set(facts.compactMap { $0 })
        // A player's library says how often each song was played, or when it was added.
        let isLibrary =
            !known.isDisjoint(with: [.plays, .tagged])
            || played.isEmpty && !known.isDisjoint(with: [.added, .lastPlayed])
        if isLibrary { return [] }
        if let divided {
            if let list = facts.firstIndex(of: .playlist) { throw refusal(ofPlays: divided.day, inLists: list) }
            let texts = rows.compactMap { Self.text(of: [divided.day, divided.time], in: $0) }
            if texts.allSatisfy(TimestampText.isAmbiguous), let first = texts.first {
                throw Self.refusal(ofAmbiguous: first)
            }
            return [[divided.day, divided.time]]
        }
        if let place = played.first {
            if let list = facts.firstIndex(of: .playlist) { throw refusal(ofPlays: place, inLists: list) }
            return try checked(played + general).map { [$0] }
        }
        // How long a song was played is known only of plays.
        let isOfPlays = !known.isDisjoint(with: [.played, .playedSeconds])
        let isOfLists = !known.isDisjoint(with: [.playlist, .playlistID, .addedBy])
        if isOfLists || known.contains(.isrc) && !isOfPlays { return [] }
        if !general.isEmpty { return try checked(general).map { [$0] } }
        if let place = unnamed.first {
            guard isOfPlays, unnamed.count == 1 else { throw refusal(ofUnnamed: place) }
            return try checked(unnamed).map { [$0] }
        }
        if let time = onlyTime(TimestampText.isAmbiguous) { throw Self.refusal(ofAmbiguous: time) }
        if let time = onlyTime(TimestampText.isUnreadable) {
            throw LibraryFileError(
                "The table has times such as “\(time.prefix(60))”, which cannot be read. Write them as 2024-04-01 08:00."
            )
        }
        return []
    }

    /// - Throws: ``LibraryFileError`` if the times in all of the columns are ambiguous. One of them may say for all
    ///   which number is the month.
    private func checked(_ places: [Int]) throws(LibraryFileError) -> [Int] {
        let times = places.flatMap(values)
        if times.allSatisfy(TimestampText.isAmbiguous), let time = times.first {
            throw Self.refusal(ofAmbiguous: time)
        }
        return places
    }

    // MARK: Values

    /// What the first rows have in a column.
    private func values(_ place: Int) -> [String] { rows.compactMap { place < $0.count ? $0[place].trimmed : nil } }

    /// The time in a row: a day and a time of day are joined.
    ///
    /// - Returns: `nil` if one of the columns has none.
    static func text(of places: [Int], in row: [String]) -> String? {
        let texts = places.compactMap { row.indices.contains($0) ? row[$0].trimmed : nil }
        return texts.count == places.count ? texts.joined(separator: " ") : nil
    }

    /// Whether a column has times, in whatever form, or days.
    private func areTimes(_ place: Int) -> Bool {
        let texts = values(place)
        return !texts.isEmpty
            && texts.allSatisfy { text in
                if let moment = CSVColumns.moment(text) {
                    // A smaller number is a count, or says yes or no.
                    return moment >= FileValues.earliestListen || !text.allSatisfy { $0.isNumber || $0 == "." }
                }
                return TimestampText.isAmbiguous(text) || TimestampText.isUnreadable(text)
            }
    }

    /// Whether a column has a time at which a play is possible in every row that has a value.
    private func areMoments(_ place: Int) -> Bool {
        let texts = values(place)
        // A table of days, as some programs write them: with midnight as their time.
        guard !texts.isEmpty, !texts.allSatisfy(TimestampText.isMidnight) else { return false }
        // Services' ids are numbers of the same length as times in seconds.
        let name = CSVFact.normalized(heads[place])
        let mayBeNumber =
            CSVMomentWords(head: heads[place]) != nil
            || ["date", "time", "uts", "play", "listen", "scrobbl", "when"].contains { name.contains($0) }
        return texts.allSatisfy { text in
            guard mayBeNumber || text.contains(":"), let moment = TimestampText(text)?.moment else { return false }
            return moment >= FileValues.earliestListen && moment <= FileValues.latestListen()
        }
    }

    /// The first value of the only column without a known heading whose values are all times of a kind.
    private func onlyTime(_ isOfKind: (String) -> Bool) -> String? {
        let columns = facts.indices.filter { facts[$0] == nil }.map(values)
        let found = columns.filter { !$0.isEmpty && $0.allSatisfy(isOfKind) }
        return found.count == 1 ? found[0].first : nil
    }

    // MARK: Refusals

    private func quoted(_ place: Int) -> String { "“\((heads[place].trimmed ?? "").prefix(60))”" }

    private func refusal(ofUnnamed place: Int) -> LibraryFileError {
        let name = quoted(place)
        return LibraryFileError(
            "The column \(name) has times, and its name does not say what they are. Rename \(name) in the first line to "
                + "“Played at” if the songs were played at these times, or to “Added at” if they were saved or added to "
                + "a playlist then, or remove the column. Then send the file again.")
    }

    private func refusal(ofPlays place: Int, inLists list: Int) -> LibraryFileError {
        LibraryFileError(
            "The table has times of plays (\(quoted(place))) and names playlists (\(quoted(list))), so it is unclear what "
                + "its rows are. Remove \(quoted(list)) to import plays, or \(quoted(place)) to import playlists, and send "
                + "the file again.")
    }

    private static func refusal(ofAmbiguous example: String) -> LibraryFileError {
        LibraryFileError(
            "The table has times such as “\(example.prefix(60))”, and nothing says which number is the month. "
                + "Write them as 2024-04-01 08:00.")
    }
}
