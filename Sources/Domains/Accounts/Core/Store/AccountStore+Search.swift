import Model
import Storage
import Visibility

/// The words by which people are found: those of their usernames and display names, folded.
enum AccountWords {
    /// The most Unicode scalars of a word that count.
    private static let longest = 40
    /// The most words of a person, and of a question.
    private static let (mostOfPerson, mostOfQuestion) = (20, 5)

    static func words(username: String, displayName: String?) -> Set<String> {
        let words = FoldedText.words(of: username) + (displayName.map(FoldedText.words) ?? [])
        return Set(words.prefix(mostOfPerson).map(cut))
    }

    /// The words of a question, the longest first, since fewest people have it.
    static func question(_ text: String) -> [String] {
        Array(Set(FoldedText.words(of: text).prefix(mostOfQuestion).map(cut)))
            .sorted { ($1.unicodeScalars.count, $0) < ($0.unicodeScalars.count, $1) }
    }

    private static func cut(_ word: String) -> String {
        String(String.UnicodeScalarView(word.unicodeScalars.prefix(longest)))
    }
}

/// A person whom somebody has found.
package struct FoundPerson: Sendable, Equatable {
    package let person: PersonSummary
    package let standing: Standing
    fileprivate let nameKey: String

    init(row: Row) throws {
        person = try PersonSummary(row: row)
        standing = try Standing(row: row)
        nameKey = try row["name_key"]
    }
}

/// A page of people.
package struct FoundPeople: Sendable, Equatable {
    /// At most as many as were asked for; fewer, even none, where many whom the words find are not visible.
    package var people: [FoundPerson]
    /// Where the next page begins; `nil` at the end.
    package var nextCursor: String?
}

/// The paged lists of people.
package enum PeopleSearch {
    /// People whom words find: by the first of their words that matches.
    package static let found = Keyset<String, String>(
        "foundPeople", by: "account_words.word", "account_words.name_key")
    /// All people.
    package static let all = Keyset<String>("allPeople", by: "users.name_key")

    /// The number of people up to which all of them are listed.
    package static let mostListed = 100
    /// The number of people on the server up to which those whom somebody may see are counted.
    fileprivate static let mostCounted = 2_000
    /// The most words that one page reads, whoever has them: about 4 ms.
    fileprivate static let wordsOfPage = 1_000
}

extension AccountStore {
    /// Other people of whom a viewer may know, by prefixes of their words.
    ///
    /// - Parameter text: each of its words begins a word of the person. Nobody is found by a text without words.
    package func people(
        matching text: String, for viewer: Viewer, after cursor: Cursor<String, String>? = nil, limit: Int
    ) throws -> FoundPeople {
        let words = AccountWords.question(text)
        guard let first = words.first else { return FoundPeople(people: []) }
        let others = words.dropFirst().reduce("" as SQL) { condition, word in
            condition + """
                 AND EXISTS (
                    SELECT 1 FROM account_words AS others
                    WHERE others.user_id = account_words.user_id AND others.word >= \(word)
                        AND others.word < \(Self.end(of: word)))
                """
        }
        let order = PeopleSearch.found
        // Most of the words that a page reads may be of people who lack the other words. So each row first looks for
        // those, then at the person, and only what is found is read.
        let query: SQL = """
            SELECT account_words.word, account_words.name_key, account_words.user_id,
                CASE WHEN NOT EXISTS (
                    SELECT 1 FROM account_words AS earlier
                    WHERE earlier.user_id = account_words.user_id AND earlier.word >= \(first)
                        AND earlier.word < account_words.word)\(others)
                    AND EXISTS (
                        SELECT 1 FROM people
                        WHERE people.user_id = account_words.user_id AND people.key <> \(viewer.key)
                            AND \(Facet.existence.condition(for: viewer))) THEN 1 ELSE 0 END AS is_found
            FROM account_words
            WHERE account_words.word >= \(first) AND account_words.word < \(Self.end(of: first))
            """
        var ids: [String] = []
        var (count, last, hasMore) = (0, ("", ""), false)
        try transaction.forEachRow(
            query + order.following(cursor) + " ORDER BY " + order.order + " LIMIT \(PeopleSearch.wordsOfPage)"
        ) { row in
            let isFound: Bool = try row["is_found"]
            if isFound, ids.count == limit {
                hasMore = true
                return .stop
            }
            count += 1
            last = (try row["word"], try row["name_key"])
            if isFound { ids.append(try row["user_id"]) }
            return .continue
        }
        var page = FoundPeople(people: try foundPeople(ids, by: viewer))
        if hasMore || count == PeopleSearch.wordsOfPage { page.nextCursor = order.text(of: last.0, last.1) }
        return page
    }

    /// The people with these ids, in their order.
    private func foundPeople(_ ids: [String], by viewer: Viewer) throws -> [FoundPerson] {
        guard !ids.isEmpty else { return [] }
        let found = try transaction.map(
            """
            SELECT \(PersonSummary.columns), \(Standing.columns(for: viewer)), users.name_key
            FROM people JOIN users ON users.id = people.user_id
            WHERE people.user_id IN (\(list: ids))
            """, FoundPerson.init)
        let people = Dictionary(uniqueKeysWithValues: found.map { ($0.person.userID, $0) })
        return ids.compactMap { people[$0] }
    }

    /// All other people of whom a viewer may know, by name; `nil` where they are more than ``PeopleSearch/mostListed``.
    package func people(
        for viewer: Viewer, after cursor: Cursor<String>? = nil, limit: Int
    ) throws -> FoundPeople? {
        // Counting those who are visible takes longer the more people hide.
        guard try !transaction.visibility.hasPeople(atLeast: PeopleSearch.mostCounted + 1) else { return nil }
        let visible: SQL = "people.key <> \(viewer.key) AND \(Facet.existence.condition(for: viewer))"
        let count: Int =
            try transaction.row(
                """
                SELECT COUNT(*) AS count FROM (
                    SELECT 1 FROM people WHERE \(visible) LIMIT \(PeopleSearch.mostListed + 1)) AS counted
                """)?["count"] ?? 0
        guard count <= PeopleSearch.mostListed else { return nil }
        let order = PeopleSearch.all
        let found = try transaction.map(
            """
            SELECT \(PersonSummary.columns), \(Standing.columns(for: viewer)), users.name_key
            FROM people JOIN users ON users.id = people.user_id
            WHERE \(visible)
            """ + order.following(cursor) + " ORDER BY " + order.order + " LIMIT \(limit + 1)", FoundPerson.init)
        let people = Array(found.prefix(limit))
        return FoundPeople(
            people: people, nextCursor: found.count > limit ? people.last.map { order.text(of: $0.nameKey) } : nil)
    }

    /// What comes after all words with a prefix.
    private static func end(of prefix: String) -> String { prefix + "\u{10FFFF}" }
}

extension AccountStore where Access == WriteTransaction {
    /// Stores the words of a user's names.
    func setWords(ofUser id: String) throws {
        try transaction.run("DELETE FROM account_words WHERE user_id = \(id)")
        guard let row = try transaction.row("SELECT name, name_key, display_name FROM users WHERE id = \(id)")
        else { return }
        let key: String = try row["name_key"]
        for word in AccountWords.words(username: try row["name"], displayName: try row["display_name"]).sorted() {
            try transaction.run(
                "INSERT INTO account_words (word, name_key, user_id) VALUES (\(word), \(key), \(id))")
        }
    }
}
