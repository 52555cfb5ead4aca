import Model

/// A song in the form of Last.fm's API (`user.getRecentTracks`). Its artist and album are objects whose name has one of
/// two keys.
struct LastfmTrack {
    private let name: String?
    private let mbid: String?
    private let artist: String?
    private let album: String?
    private let seconds: Int?

    /// - Returns: `nil` for a value of another form.
    init?(_ value: JSONValue) {
        guard value.members != nil, var track = JSONMembers(value) else { return nil }
        func name(_ value: JSONValue?) -> String? {
            (value?["#text"] ?? value?["name"])?.plainText ?? value?.plainText
        }
        (self.name, mbid) = (track.text("name"), track.text("mbid"))
        (artist, album) = (name(value["artist"]), name(value["album"]))
        seconds = (value["date"]?["uts"] ?? value["date"])?.plainNumber
        if track.isDamaged { return nil }
    }

    func item(line: Int) -> LibraryFileItem {
        // The song that is playing now has no date.
        guard let time = FileValues.moment(ofSeconds: seconds) else {
            return .skipped(line: line, reason: ListenRules.noTime)
        }
        guard var listen = FileListen(title: name, artist: artist, album: album, time: time) else {
            return .skipped(line: line, reason: ListenRules.noNames)
        }
        listen.recordingMBID = mbid?.trimmed
        return .listen(listen, line: line)
    }

    /// The songs of a page, whose list may be missing if it has one song or none; for a list of songs, the songs
    /// themselves.
    static func songs(of page: JSONValue) -> [JSONValue] {
        if let elements = page.elements { return elements.flatMap(songs) }
        let recent = page["recenttracks"]
        if let list = page["track"] ?? recent?["track"] { return list.plainElements }
        if let recent { return recent.elements ?? [] }
        return [page]
    }
}
