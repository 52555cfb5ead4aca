import Gateway

extension ProblemCode {
    // Songs and accounts.
    package static let accountKnown = ProblemCode("accountKnown")
    package static let alreadyApart = ProblemCode("alreadyApart")
    package static let oneTrack = ProblemCode("oneTrack")
    package static let splitsNothing = ProblemCode("splitsNothing")

    // Edits and copies.
    package static let notSupportedBySource = ProblemCode("notSupportedBySource")
    package static let notYourPlaylist = ProblemCode("notYourPlaylist")
    package static let playlistChanged = ProblemCode("playlistChanged")
    package static let sourceNotRead = ProblemCode("sourceNotRead")
    package static let tooManyEdits = ProblemCode("tooManyEdits")
    package static let notUnclear = ProblemCode("notUnclear")
    package static let nothingMissing = ProblemCode("nothingMissing")
    package static let copyNotComplete = ProblemCode("copyNotComplete")

    // Imports.
    package static let importRunning = ProblemCode("importRunning")
    package static let importTooOld = ProblemCode("importTooOld")
    package static let importFolderFull = ProblemCode("importFolderFull")
    package static let fileMissing = ProblemCode("fileMissing")

    /// The codes of this domain.
    package static let library: [ProblemCode] = [
        accountKnown, alreadyApart, oneTrack, splitsNothing, notSupportedBySource, notYourPlaylist, playlistChanged,
        sourceNotRead, tooManyEdits, notUnclear, nothingMissing, copyNotComplete, importRunning, importTooOld,
        importFolderFull, fileMissing,
    ]
}
