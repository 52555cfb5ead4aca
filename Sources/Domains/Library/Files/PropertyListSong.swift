import Foundation
import Model

/// The values of one song in the library of Apple's Music app.
struct PropertyListSong {
    /// The keys that are read.
    static let names: Set<String> = Set(
        [
            "Track ID", "Persistent ID", "Name", "Artist", "Album", "Album Artist", "Composer", "Genre", "Total Time",
            "Disc Number", "Track Number", "Explicit", "Clean", "Release Date", "Year", "Date Added", "Play Count",
            "Play Date UTC", "Rating", "Rating Computed", "Playlist Only", "Track Type",
        ] + refusals.map(\.mark))

    private var values: [String: String] = [:]

    init(_ values: [String: String]) {
        self.values = values
    }

    /// `Track ID`, which changes with each export.
    var number: Int? { values["Track ID"].flatMap(Self.number) }

    static func number(_ text: String) -> Int? { Int(decimal: text, in: .min ... .max) }

    /// `Persistent ID`, which is the same in every export.
    var key: UInt64? { values["Persistent ID"].flatMap { UInt64($0, radix: 16) } }

    func item(line: Int) -> LibraryFileItem {
        if let reason = refusal { return .skipped(line: line, reason: reason) }
        guard let title = text("Name") else { return .skipped(line: line, reason: "the song has no title") }
        guard let key else { return .skipped(line: line, reason: "the song has no Persistent ID") }
        var track = SourceTrack(
            sourceID: Self.text(of: key), title: title, artist: text("Artist") ?? "", album: text("Album") ?? "")
        track.albumArtist = text("Album Artist")
        track.composer = text("Composer")
        track.genres = text("Genre").map { [$0] } ?? []
        track.durationMs = count("Total Time", in: FileValues.milliseconds)
        track.discNumber = count("Disc Number", in: FileValues.numbers)
        track.trackNumber = count("Track Number", in: FileValues.numbers)
        track.isExplicit = isSet("Explicit") ? true : isSet("Clean") ? false : nil
        track.releaseDate =
            text("Release Date").flatMap { ReleaseDate(String($0.prefix(10))) }
            ?? text("Year").flatMap { ReleaseDate($0) }
        track.addedAt = date("Date Added")
        track.playCount = values["Play Count"].flatMap { Int(decimal: $0, in: FileValues.plays) }
        // `Play Date` is a number of seconds in the local time of the exporting machine.
        track.lastPlayedAt = date("Play Date UTC")
        // If this is set, the app computed the stars from those of the album.
        if !isSet("Rating Computed") { track.rating = count("Rating", in: FileValues.ratings) }
        track.clean()
        return .track(FileTrack(track, isSaved: !isSet("Playlist Only")), line: line)
    }

    /// The key as the app writes it.
    static func text(of key: UInt64) -> String {
        let digits = String(key, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static let refusals: [(mark: String, noun: String)] = [
        ("Podcast", "a podcast"), ("Movie", "a film"), ("TV Show", "a TV show"),
        ("Music Video", "a music video"), ("Audiobook", "an audiobook"), ("Has Video", "a video"),
    ]

    /// Why it is not a song.
    private var refusal: String? {
        if let refusal = Self.refusals.first(where: { isSet($0.mark) }) { return "\(refusal.noun) is not a song" }
        return values["Track Type"] == "URL" ? "a radio stream is not a song" : nil
    }

    private func isSet(_ name: String) -> Bool { values[name] == "true" }

    private func text(_ name: String) -> String? {
        values[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private func count(_ name: String, in range: ClosedRange<Int>) -> Int? {
        values[name].flatMap { Int(decimal: $0, in: range) }.flatMap { $0 > 0 ? $0 : nil }
    }

    private func date(_ name: String) -> Timestamp? {
        values[name].flatMap { FileValues.moment(rfc3339: $0) }
    }
}

extension FilePlaylist {
    /// The keys that are read of a playlist in the library of Apple's Music app.
    static let names: Set<String> = [
        "Master", "Visible", "Distinguished Kind", "Folder", "Playlist Persistent ID", "Name", "Description",
    ]

    /// Creates a playlist of the library of Apple's Music app; `nil` for the lists that the app makes itself, such as
    /// all music, and for folders, which repeat the songs of their playlists.
    ///
    /// - Parameter keys: the keys of its songs, with `nil` for a song that the file does not describe.
    init?(_ values: [String: String], _ keys: [UInt64?]) {
        let isOfApp =
            values["Master"] == "true" || values["Visible"] == "false" || values["Distinguished Kind"] != nil
            || values["Folder"] == "true"
        guard !isOfApp else { return nil }
        self.init(
            key: values["Playlist Persistent ID"] ?? "", name: values["Name"] ?? "",
            description: values["Description"].flatMap { $0.isEmpty ? nil : $0 },
            entries: keys.map { Entry(key: $0.map(PropertyListSong.text)) })
    }
}
