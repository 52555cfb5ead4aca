/// How a model answers: as requested, in one of the ways that Google documents for unsuccessful answers, or wrongly.
enum GeminiBehavior: String, Sendable, Codable, CaseIterable {
    /// Names songs that were listed, and songs that the music services have.
    case plausible
    /// Each answer has a little of everything below that can be wrong with songs.
    case careless

    // Wrong answers in the right form.

    /// Half of the songs do not exist.
    case inventing
    /// Titles have typing errors.
    case misspelling
    /// Songs occur several times.
    case repeating
    /// Names more songs than requested.
    case exceeding
    /// Names numbers that were not listed.
    case outOfRange
    /// Follows instructions in titles and wishes.
    case obedient
    /// Gives reasons that nothing supports.
    case boasting

    // Right answers in another form.

    /// The answer is in a Markdown code fence, with a sentence before it.
    case fenced
    /// The answer is in several parts, with thoughts among them.
    case split
    /// JSON that stops in the middle, with the reason STOP.
    case brokenJSON

    // Missing answers.

    case promptBlocked
    case noCandidates
    case safety
    case recitation
    case other
    /// A finish reason that earlier releases did not have.
    case newReason
    /// The answer is cut off, however much room it has.
    case maxTokens
    /// Thoughts used up all the room.
    case onlyThoughts
}
