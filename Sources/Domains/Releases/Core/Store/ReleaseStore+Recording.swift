import Model
import Storage
import Timeline

extension ReleaseStore where Access == WriteTransaction {
    /// Stores a part of a service's answer about an artist: new albums become editions of known releases, or new releases,
    /// and those that are out and news enter the timeline.
    ///
    /// - Returns: how many releases are new.
    func record(_ part: ReleaseAnswerPart, of artist: WantedArtist, now: Timestamp) throws -> Int {
        let answer = part.answer
        let reading = try readings(ofArtists: [artist.key])[artist.key]?[answer.source]
        let isSameList = reading.map { $0.country == answer.country && $0.artistID == answer.artistID } ?? false
        let lastReading = isSameList ? reading?.completeAt ?? reading?.checkedAt : nil
        let editions = try editions(of: part.entries.map(\.album.id), at: answer.source)
        var recording = ReleaseRecording(
            artist: artist, source: answer.source, lastReading: lastReading, now: now,
            credits: try credits(ofArtist: artist.key, titleKeys: Set(part.entries.map(\.titleKey))),
            credited: try credited(editions.values.map(\.number), ofArtist: artist.key), editions: editions)
        for entry in part.entries { try add(entry, to: &recording) }
        if part.isLast, answer.isComplete, isSameList, !answer.albums.isEmpty {
            try noteMissing(Set(answer.albums.map(\.id)), in: &recording)
        }
        for number in recording.changed.sorted() { try summarize(number, now: now) }
        guard part.isLast else { return recording.newReleases }
        let completeAt = answer.isComplete ? now : isSameList ? reading?.completeAt : nil
        try store(answer, ofArtist: artist.key, completeAt: completeAt, now: now)
        return recording.newReleases
    }

    // MARK: Albums

    private func add(_ entry: ReleaseAnswerPart.Entry, to recording: inout ReleaseRecording) throws {
        let album = entry.album
        if let stored = recording.editions[album.id] {
            if stored.album != album || stored.isMissing {
                try put(album, of: stored.number, in: recording)
                recording.changed.insert(stored.number)
            }
            // An album of several artists is in the list of each.
            if !recording.credited.contains(stored.number) { try credit(stored.number, entry, in: &recording) }
            return
        }
        if let number = recording.release(of: album, titleKey: entry.titleKey) {
            try put(album, of: number, in: recording)
            recording.changed.insert(number)
            return
        }
        let number = try transaction.nextChange()
        let isNews = ReleaseNews.isNews(album.date, lastReading: recording.lastReading, now: recording.now)
        let outAt = isNews ? album.date.map { ReleaseNews.outMoment($0) } : nil
        try transaction.run(
            """
            INSERT INTO releases
                (number, id, artist_key, title, artists, type, release_date, picture, first_seen_at, out_at)
            VALUES (\(number), \(UUIDv7.next()), \(recording.artist.key), \(album.name),
                \(try JSONColumn.encode(album.artists)), \(album.type.rawValue), \(album.date?.text),
                \(album.picture?.releaseText), \(recording.now), \(outAt))
            """)
        try put(album, of: number, in: recording)
        try credit(number, entry, in: &recording)
        recording.newReleases += 1
        if let outAt, outAt <= recording.now { try publish(number, now: recording.now) }
    }

    /// Writes an edition.
    private func put(_ album: ListedAlbum, of number: Int64, in recording: ReleaseRecording) throws {
        try transaction.run(
            """
            INSERT INTO release_editions
                (source, album_id, release_number, title, name, artists, type, release_date, track_count, picture, url)
            VALUES (\(recording.source.rawValue), \(album.id), \(number), \(album.title), \(album.name),
                \(try JSONColumn.encode(album.artists)), \(album.type.rawValue), \(album.date?.text),
                \(album.trackCount), \(album.picture?.releaseText), \(album.url))
            ON CONFLICT (source, album_id) DO UPDATE SET
                title = excluded.title, name = excluded.name, artists = excluded.artists, type = excluded.type,
                release_date = excluded.release_date, track_count = excluded.track_count, picture = excluded.picture,
                url = excluded.url, missing_since = NULL
            """)
    }

    /// Adds a release to the list of the artist, also in the timeline if it is there.
    private func credit(
        _ number: Int64, _ entry: ReleaseAnswerPart.Entry, in recording: inout ReleaseRecording
    ) throws {
        let (key, album) = (recording.artist.key, entry.album)
        try transaction.run(
            """
            INSERT INTO release_credits (artist_key, release_number, title_key)
            VALUES (\(key), \(number), \(entry.titleKey)) ON CONFLICT (artist_key, release_number) DO NOTHING
            """)
        recording.credited.insert(number)
        recording.credits[entry.titleKey, default: []].append(
            ReleaseRecording.Credit(
                number: number, isShort: album.type.isShort, dates: [album.date], trackCounts: [album.trackCount]))
        let published: Timestamp? = try transaction.row(
            "SELECT published_at FROM releases WHERE number = \(number)")?["published_at"]
        guard let published else { return }
        let author = try transaction.timeline.author(of: .releases(ofArtist: key))
        try transaction.timeline.insert(.release, number: number, by: [author], moment: published)
        // The number is older than what open streams have seen.
        try transaction.timeline.touch(.release, number: number, by: [author], moment: published)
    }

    /// How many missing editions are noted or deleted in one transaction.
    private static var mostMissing: Int { 100 }

    /// An album that two complete lists, at least two days apart, do not have is gone. Services now and then list an
    /// album under the wrong artist.
    private func noteMissing(_ present: Set<String>, in recording: inout ReleaseRecording) throws {
        let limit = Timestamp(microseconds: recording.now.microseconds - 2 * 86_400_000_000)
        let stored = try transaction.map(
            """
            SELECT release_editions.album_id AS album_id, release_editions.release_number AS number,
                release_editions.missing_since AS missing_since,
                (SELECT COUNT(*) FROM release_credits AS others
                    WHERE others.release_number = release_credits.release_number) AS artists
            FROM release_credits JOIN release_editions
                ON release_editions.release_number = release_credits.release_number
            WHERE release_credits.artist_key = \(recording.artist.key)
                AND release_editions.source = \(recording.source.rawValue)
            ORDER BY release_credits.release_number, release_editions.album_id
            """
        ) { row in
            (
                id: try row["album_id"] as String, number: try row["number"] as Int64,
                since: try row["missing_since"] as Timestamp?, artists: try row["artists"] as Int
            )
        }
        let now = recording.now
        let missing = stored.filter { edition in
            // An album of several artists may still be in the list of another.
            edition.artists == 1 && !present.contains(edition.id)
                && (edition.since.map { $0 <= limit || $0 > now } ?? true)
        }
        // The others follow with the next readings.
        for edition in missing.prefix(Self.mostMissing) {
            if let since = edition.since, since <= limit {
                try transaction.run(
                    """
                    DELETE FROM release_editions
                    WHERE source = \(recording.source.rawValue) AND album_id = \(edition.id)
                    """)
                recording.changed.insert(edition.number)
            } else {
                try transaction.run(
                    """
                    UPDATE release_editions SET missing_since = \(now)
                    WHERE source = \(recording.source.rawValue) AND album_id = \(edition.id)
                    """)
            }
        }
    }

    // MARK: What is stored

    /// The releases in an artist's list that have one of the keys, by these, in the order of their numbers.
    private func credits(
        ofArtist key: String, titleKeys: Set<String>
    ) throws -> [String: [ReleaseRecording.Credit]] {
        var credits: [String: [ReleaseRecording.Credit]] = [:]
        for part in titleKeys.sorted().listParts {
            for row in try transaction.rows(
                """
                SELECT release_credits.release_number AS number, release_credits.title_key AS title_key,
                    releases.type AS type, release_editions.release_date AS release_date,
                    release_editions.track_count AS track_count
                FROM release_credits JOIN releases ON releases.number = release_credits.release_number
                    JOIN release_editions ON release_editions.release_number = release_credits.release_number
                WHERE release_credits.artist_key = \(key) AND release_credits.title_key IN (\(list: part))
                ORDER BY release_credits.release_number
                """)
            {
                let (number, titleKey): (Int64, String) = (try row["number"], try row["title_key"])
                let type: Int64 = try row["type"]
                let date = (try row["release_date"] as String?).flatMap { ReleaseDate($0) }
                let trackCount: Int? = try row["track_count"]
                if credits[titleKey]?.last?.number != number {
                    credits[titleKey, default: []].append(
                        ReleaseRecording.Credit(
                            number: number, isShort: (ReleaseType(rawValue: type) ?? .album).isShort))
                }
                let last = credits[titleKey, default: []].count - 1
                credits[titleKey, default: []][last].dates.append(date)
                credits[titleKey, default: []][last].trackCounts.append(trackCount)
            }
        }
        return credits
    }

    /// Those of releases that are in an artist's list.
    private func credited(_ numbers: [Int64], ofArtist key: String) throws -> Set<Int64> {
        var found: Set<Int64> = []
        for part in numbers.listParts {
            found.formUnion(
                try transaction.map(
                    """
                    SELECT release_number FROM release_credits
                    WHERE artist_key = \(key) AND release_number IN (\(list: part))
                    """
                ) { try $0["release_number"] as Int64 })
        }
        return found
    }

    private func editions(
        of ids: [String], at source: MusicSource
    ) throws -> [String: ReleaseRecording.StoredEdition] {
        var editions: [String: ReleaseRecording.StoredEdition] = [:]
        for part in ids.listParts {
            for row in try transaction.rows(
                """
                SELECT album_id, release_number, title, name, artists, type, release_date, track_count, picture, url,
                    CASE WHEN missing_since IS NULL THEN 0 ELSE 1 END AS is_missing
                FROM release_editions WHERE source = \(source.rawValue) AND album_id IN (\(list: part))
                """)
            {
                editions[try row["album_id"]] = ReleaseRecording.StoredEdition(
                    number: try row["release_number"], album: try ListedAlbum(row: row),
                    isMissing: try row["is_missing"])
            }
        }
        return editions
    }
}
