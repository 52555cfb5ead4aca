extension IdentityRules {
    func judgeArtists(
        _ one: IdentityProfile, _ other: IdentityProfile, hasISRC: Bool, into judgment: inout Judgment
    ) {
        func texts() -> (String, String) { (one.record.artist, other.record.artist) }
        // With other titles, the artists have to confirm what the code says.
        let areUnknown = [one, other].contains { $0.artists.isEmpty || $0.isVarious }
        if judgment.isTitleOther, areUnknown { judgment.isUnconfirmed = true }
        if one.artists.isEmpty || other.artists.isEmpty || one.isVarious != other.isVarious {
            judgment.record(.artistUnknown, .doubt, likelihood: -10)
            return
        }
        let agreement = ArtistAgreement(one, other)
        // Lists of many artists may agree without sharing one of the few keys with which they are found.
        if agreement.isEnough, !(one.hasAllNames && other.hasAllNames), !one.sharesName(with: other) {
            judgment.record(.artistsOverlap(texts().0, texts().1), .doubt, likelihood: -10)
            return
        }
        switch agreement {
        case .equal: judgment.record(.artistsEqual, .none)
        case .amongOthers: judgment.record(.artistsAmongOthers(texts().0, texts().1), .none, likelihood: -5)
        case .alike:
            // Two artists may have such names, but not on the same album.
            judgment.needsAlbum = true
            let isFound = one.sharesName(with: other)
            judgment.record(.artistsAlike(texts().0, texts().1), isFound ? .none : .doubt, likelihood: -5)
        case .part:
            judgment.isPartOfArtists = true
            judgment.record(.artistsPart(texts().0, texts().1), .doubt, likelihood: -10)
        case .overlap:
            judgment.isPartOfArtists = true
            judgment.record(.artistsOverlap(texts().0, texts().1), .doubt, likelihood: -10)
        case .otherScripts(let soundAlike):
            judgment.isCodeAlone = true
            if judgment.isTitleOther { judgment.isUnconfirmed = true }
            judgment.record(
                .artistsInOtherScripts(texts().0, texts().1), .doubt, likelihood: soundAlike ? -5 : -25)
        case .none:
            // Compilations may credit a publisher, or nobody, as the artist. An equal code outweighs that or a
            // difference between the titles, but not both: nothing else would indicate one song then, and codes can be
            // wrong.
            judgment.record(
                .artistsDiffer(texts().0, texts().1),
                hasISRC && !judgment.isTitleExcused ? .none : .contradiction)
        }
    }
}
