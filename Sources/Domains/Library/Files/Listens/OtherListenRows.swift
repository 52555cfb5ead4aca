import Model

/// A scrobble in Maloja's exports and API: `{"time", "track": {"title", "artists", "album": {"albumtitle"}}}`.
enum MalojaRow {
    static func item(_ value: JSONValue, line: Int) -> LibraryFileItem {
        guard let track = value["track"] else { return .noListen(line) }
        guard let time = FileValues.moment(ofSeconds: value["time"]?.plainNumber) else {
            return .skipped(line: line, reason: ListenRules.noTime)
        }
        let album = track["album"]
        let listen = FileListen(
            title: track["title"]?.plainText, artist: names(track["artists"]),
            album: (album?["albumtitle"] ?? album?["name"] ?? album)?.plainText, time: time)
        guard var listen else { return .skipped(line: line, reason: ListenRules.noNames) }
        listen.durationMs = FileValues.milliseconds(ofSeconds: track["length"]?.plainNumber)
        listen.playedMs = FileValues.milliseconds(ofSeconds: value["duration"]?.plainNumber)
        return .listen(listen, line: line)
    }

    private static func names(_ artists: JSONValue?) -> String? {
        artists.map { $0.plainElements.compactMap(\.plainText).joined(separator: ", ") }
    }
}

/// A listen in Koito's exports. Songs, albums and artists have their names in `aliases`, one of which is the primary
/// one.
enum KoitoRow {
    static func item(_ value: JSONValue, line: Int) -> LibraryFileItem {
        guard let track = value["track"] else { return .noListen(line) }
        guard let time = value["listened_at"]?.plainText.flatMap(TimestampText.init)?.moment else {
            return .skipped(line: line, reason: ListenRules.noTime)
        }
        let artists = (value["artists"]?.plainElements ?? []).sorted { isPrimary($0) && !isPrimary($1) }.compactMap(
            name)
        guard
            var listen = FileListen(
                title: name(track), artist: artists.joined(separator: ", "), album: value["album"].flatMap(name),
                time: time)
        else { return .skipped(line: line, reason: ListenRules.noNames) }
        listen.recordingMBID = track["mbid"]?.plainText?.trimmed
        listen.durationMs = FileValues.milliseconds(ofSeconds: track["duration"]?.plainNumber)
        listen.client = value["client"]?.plainText?.trimmed
        return .listen(listen, line: line)
    }

    private static func isPrimary(_ value: JSONValue) -> Bool { value["is_primary"]?.plainFlag == true }

    /// The primary name, or else the first.
    private static func name(_ value: JSONValue) -> String? {
        let aliases = value["aliases"]?.plainElements ?? []
        return (aliases.first(where: isPrimary) ?? aliases.first).flatMap { ($0["alias"] ?? $0).plainText?.trimmed }
    }
}

/// A scrobble in the JSON of lastfmstats.com: `{"track", "artist", "album", "date"}`, with the date in milliseconds.
enum LastfmStatsRow {
    static func item(_ value: JSONValue, line: Int) -> LibraryFileItem {
        guard value.members != nil else { return .noListen(line) }
        guard let time = value["date"]?.plainText.flatMap(TimestampText.init) else {
            return .skipped(line: line, reason: ListenRules.noTime)
        }
        guard
            var listen = FileListen(
                title: value["track"]?.plainText, artist: value["artist"]?.plainText, album: value["album"]?.plainText,
                time: time.moment)
        else { return .skipped(line: line, reason: ListenRules.noNames) }
        listen.precision = time.precision
        return .listen(listen, line: line)
    }
}
