import Identity
import Model

/// Puts a list together from songs in order of preference. It enforces the request's demands, whoever named the songs:
/// each song only once, no more songs than requested, no artist too often, nothing that is excluded, and the length.
package struct ListRules: Sendable {
    /// A song with the evidence for it.
    struct Choice: Sendable {
        var song: CandidateSong
        /// The kinds of evidence that the model named.
        var named: [SongEvidence.Kind] = []
        var isFilled = false
        var isPinned = false
        /// The song as the model wrote it, in case it is dropped; `nil` for songs that were not named.
        var said: String?
    }

    /// How far the length of a list may be from what was asked for, in milliseconds.
    static let tolerance = 5 * 60_000

    private let request: CurationRequest
    private let rules: IdentityRules
    private let excludedArtists: CreditedArtists
    private let analysis: PromptAnalysis
    private let onlyArtists: OnlyArtists
    private let excludedTracks: Set<String>
    private let context: CurationContext
    private let heardElsewhere: SongIndex
    private let dismissed: SongIndex

    private(set) var choices: [Choice] = []
    private(set) var dropped: [DroppedSong] = []
    private var profiles: [IdentityProfile] = []
    private var placesByKey: [Int64: [Int]] = [:]
    private var artists: ArtistShares

    /// - Parameter named: the artists of songs that a model has named, to whom the prompt may limit the list as well.
    init(_ request: CurationRequest, _ context: CurationContext, named: [String] = []) {
        self.request = request
        artists = ArtistShares(size: request.size)
        onlyArtists = OnlyArtists(request.wish, among: context.candidates.map(\.artist) + named)
        rules = IdentityRules(remastersAreSame: context.remastersAreSame)
        excludedTracks = context.excluded.union(request.excludedTracks)
        analysis = PromptAnalysis(request.wish)
        excludedArtists = CreditedArtists(request.excludedArtists + analysis.unwantedNames)
        self.context = context
        heardElsewhere = SongIndex(context.heardElsewhere)
        dismissed = SongIndex(context.dismissedSongs)
    }

    var isFull: Bool { choices.count >= request.size || isLongEnough }

    private var isLongEnough: Bool {
        guard let minutes = request.minutes else { return false }
        // Another song would not bring it any closer.
        return duration + Self.usualDuration / 2 >= minutes * 60_000
    }

    private var duration: Int { choices.reduce(0) { $0 + ($1.song.durationMs ?? Self.usualDuration) } }

    /// The assumed duration of songs whose duration is not known, in milliseconds: the median at services.
    static let usualDuration = 210_000

    /// Adds a song, unless a rule forbids it.
    ///
    /// - Returns: whether it was added.
    @discardableResult
    mutating func add(_ choice: Choice) -> Bool {
        let profile = IdentityProfile(choice.song.record)
        if let reason = objection(to: choice, profile) {
            if let said = choice.said { drop(said, reason) }
            return false
        }
        for key in profile.keys { placesByKey[key, default: []].append(choices.count) }
        choices.append(choice)
        profiles.append(profile)
        artists.add(profile.mainArtists)
        return true
    }

    /// Records that a song was named but is not in the list.
    mutating func drop(_ said: String, _ why: String, nearest: String? = nil) {
        dropped.append(
            DroppedSong(said: PromptText.cleaned(said, limit: 200), why: why, nearest: nearest))
    }

    /// Removes the last songs of artists that have more than half of the list.
    mutating func trimArtists() {
        guard onlyArtists.isEmpty else { return }
        while let index = choices.indices.last(where: { index in
            !choices[index].isPinned && artists.haveTooMuch(profiles[index].mainArtists)
        }) {
            let (choice, profile) = (choices.remove(at: index), profiles.remove(at: index))
            artists.remove(profile.mainArtists)
            if let said = choice.said { drop(said, "Its artist would have more than half of the list.") }
        }
    }

    private func objection(to choice: Choice, _ profile: IdentityProfile) -> String? {
        let song = choice.song
        if choices.contains(where: { $0.song.reference == song.reference }) { return "It was named twice." }
        let places = Set(profile.keys.flatMap { placesByKey[$0] ?? [] })
        if places.contains(where: { rules.compare(profile, profiles[$0]).verdict == .same }) {
            return "It is the same song as another one in the list."
        }
        // Pinned songs stay, whatever else the person asks for.
        if choice.isPinned { return nil }
        // Two rows that look the same, such as the explicit and the clean version of a song, look like a mistake.
        if places.contains(where: { choices[$0].song.title == song.title && choices[$0].song.artist == song.artist }) {
            return "The list has another recording of this song."
        }
        if choices.count >= request.size { return "The list has as many songs as you asked for." }
        if excludedTracks.contains(song.reference) { return "You excluded this song." }
        if excludedArtists.areCredited(on: profile) || analysis.rejects(song.artist) {
            return "You excluded its artist."
        }
        guard onlyArtists.allow(profile) else { return "You asked only for songs by other artists." }
        if context.dismissed.contains(song.reference) || dismissed.contains(profile, by: rules) {
            return "You have said that it is not for you."
        }
        // Listens often have neither album nor duration, so a possible match counts as well.
        if context.heard.contains(song.reference) || heardElsewhere.mayContain(profile, by: rules) {
            return "You have heard it lately."
        }
        if context.present.contains(song.reference) {
            return request.playlist == nil ? "The list is based on it." : "The playlist already has it."
        }
        guard !onlyArtists.isEmpty || artists.hasRoom(for: profile.mainArtists) else {
            return "Its artist already has half of the list."
        }
        if let minutes = request.minutes,
            duration + (song.durationMs ?? Self.usualDuration) > minutes * 60_000 + Self.tolerance
        {
            return "It would make the list too long."
        }
        return nil
    }
}
