/// How a model answers: as asked, in one of the ways that Google documents for unsuccessful answers, or wrongly.
enum GeminiBehaviour: String, Sendable, Codable, CaseIterable {
    /// Names what was listed, and songs that the music services have.
    case plausible
    /// Each answer has a little of everything below that is wrong with songs.
    case careless

    // Wrong, in the right form.

    /// Half of the songs do not exist.
    case inventing
    /// Titles have typing errors.
    case misspelling
    /// Songs come several times.
    case repeating
    /// More songs than were asked for.
    case exceeding
    /// Numbers that were not listed.
    case outOfRange
    /// Follows what titles and wishes tell it to do.
    case obedient
    /// Reasons that nothing backs.
    case boasting

    // Right, in another form.

    /// In a code fence of Markdown, with a sentence before it.
    case fenced
    /// In several parts, with thoughts among them.
    case split
    /// JSON that stops in the middle, with the reason STOP.
    case brokenJSON

    // No answer.

    case promptBlocked
    case noCandidates
    case safety
    case recitation
    case other
    /// A reason that no release before knew.
    case newReason
    /// The answer is cut off, whatever its room.
    case maxTokens
    /// Thoughts took all the room.
    case onlyThoughts
}
