import Model
import Storage
import Timeline

extension ReleaseStore where Access == WriteTransaction {
    /// Stores a service's answer about an artist: new albums become editions of known releases, or new releases, and
    /// those that are out and news enter the timeline.
    ///
    /// - Returns: how many releases are new.
    func record(_ answer: ReleaseAnswer, of artist: WantedArtist, now: Timestamp) throws -> Int {
        let reading = try readings(ofArtists: [artist.key])[artist.key]?[answer.source]
        let isSameList = reading.map { $0.country == answer.country && $0.artistID == answer.artistID } ?? false
        let lastReading = isSameList ? reading?.completeAt ?? reading?.checkedAt : nil
        var recording = ReleaseRecording(
            artist: artist, source: answer.source, lastReading: lastReading, now: now,
            credits: try credits(ofArtist: artist.key),
            editions: try editions(of: answer.albums.map(\.id), at: answer.source))
        for album in answer.albums { try add(album, to: &recording) }
        if answer.isComplete, isSameList, !answer.albums.isEmpty {
            try noteMissing(Set(answer.albums.map(\.id)), in: &recording)
        }
        for number in recording.changed.sorted() { try summarize(number, now: now) }
        let completeAt = answer.isComplete ? now : isSameList ? reading?.completeAt : nil
        try store(answer, ofArtist: artist.key, completeAt: completeAt, now: now)
        return recording.newReleases
    }

    // MARK: Albums

    private func add(_ album: ListedAlbum, to recording: inout ReleaseRecording) throws {
        if let stored = recording.editions[album.id] {
            if stored.album != album || stored.isMissing {
                try put(album, of: stored.number, in: recording)
                recording.changed.insert(stored.number)
            }
            // An album of several artists is in the list of each.
            if !recording.credits.contains(where: { $0.number == stored.number }) {
                try credit(stored.number, album, in: &recording)
            }
            return
        }
        if let number = recording.release(of: album) {
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
        try credit(number, album, in: &recording)
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
    private func credit(_ number: Int64, _ album: ListedAlbum, in recording: inout ReleaseRecording) throws {
        let key = recording.artist.key
        try transaction.run(
            """
            INSERT INTO release_credits (artist_key, release_number, title_key)
            VALUES (\(key), \(number), \(album.titleKey)) ON CONFLICT (artist_key, release_number) DO NOTHING
            """)
        recording.credits.append(
            ReleaseRecording.Credit(
                number: number, titleKey: album.titleKey, isShort: album.type.isShort, dates: [album.date],
                trackCounts: [album.trackCount]))
        let published: Timestamp? = try transaction.row(
            "SELECT published_at FROM releases WHERE number = \(number)")?["published_at"]
        guard let published else { return }
        let author = try transaction.timeline.author(of: .releases(ofArtist: key))
        try transaction.timeline.insert(.release, number: number, by: [author], moment: published)
        // The number is older than what open streams have seen.
        try transaction.timeline.touch(.release, number: number, by: [author], moment: published)
    }

    /// An album that two complete lists, at least two days apart, do not have is gone. Services now and then list an
    /// album under the wrong artist.
    private func noteMissing(_ present: Set<String>, in recording: inout ReleaseRecording) throws {
        let limit = Timestamp(microseconds: recording.now.microseconds - 2 * 86_400_000_000)
        let stored = try transaction.map(
            """
            SELECT release_editions.album_id AS album_id, release_editions.release_number AS number,
                release_editions.missing_since AS missing_since
            FROM release_credits JOIN release_editions
                ON release_editions.release_number = release_credits.release_number
            WHERE release_credits.artist_key = \(recording.artist.key)
                AND release_editions.source = \(recording.source.rawValue)
            """
        ) { row in
            (
                id: try row["album_id"] as String, number: try row["number"] as Int64,
                since: try row["missing_since"] as Timestamp?
            )
        }
        for edition in stored where !present.contains(edition.id) {
            // An album of several artists may still be in the list of another.
            guard try creditCount(of: edition.number) == 1 else { continue }
            if let since = edition.since, since <= limit {
                try transaction.run(
                    """
                    DELETE FROM release_editions
                    WHERE source = \(recording.source.rawValue) AND album_id = \(edition.id)
                    """)
                recording.changed.insert(edition.number)
            } else if edition.since.map({ $0 > recording.now }) ?? true {
                try transaction.run(
                    """
                    UPDATE release_editions SET missing_since = \(recording.now)
                    WHERE source = \(recording.source.rawValue) AND album_id = \(edition.id)
                    """)
            }
        }
    }

    private func creditCount(of number: Int64) throws -> Int {
        try transaction.row("SELECT COUNT(*) AS n FROM release_credits WHERE release_number = \(number)")
            .map { try $0["n"] } ?? 0
    }

    // MARK: What is stored

    /// The releases in an artist's list.
    private func credits(ofArtist key: String) throws -> [ReleaseRecording.Credit] {
        var credits: [Int64: ReleaseRecording.Credit] = [:]
        for row in try transaction.rows(
            """
            SELECT release_credits.release_number AS number, release_credits.title_key AS title_key,
                releases.type AS type, release_editions.release_date AS release_date,
                release_editions.track_count AS track_count
            FROM release_credits JOIN releases ON releases.number = release_credits.release_number
                JOIN release_editions ON release_editions.release_number = release_credits.release_number
            WHERE release_credits.artist_key = \(key)
            """)
        {
            let number: Int64 = try row["number"]
            let type: Int64 = try row["type"]
            var credit =
                try credits[number]
                ?? ReleaseRecording.Credit(
                    number: number, titleKey: row["title_key"],
                    isShort: (ReleaseType(rawValue: type) ?? .album).isShort)
            credit.dates.append((try row["release_date"] as String?).flatMap { ReleaseDate($0) })
            credit.trackCounts.append(try row["track_count"])
            credits[number] = credit
        }
        return credits.values.sorted { $0.number < $1.number }
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
