/// The songs of a blend are stored without the name of the other person, which may change or stop being visible. Answers
/// add it.
extension CuratedTrack {
    /// The song with the other person's name in its reasons.
    ///
    /// - Parameter partner: the name; `nil` where it is not shown. Other lists than blends have no partner.
    package func naming(_ partner: String?) -> CuratedTrack {
        guard attribution != nil else { return self }
        var track = self
        track.evidence = evidence.map { $0.naming(partner) }
        track.reason = track.evidence.map(\.text).joined(separator: " ")
        return track
    }
}

extension CuratedTrack {
    /// The song without what it says about the other person of a blend, for blends that are separated from them.
    func withoutPartner() -> CuratedTrack {
        guard let attribution else { return self }
        var track = self
        track.attribution = attribution == .partner ? nil : .you
        track.evidence = evidence.compactMap { evidence in
            switch evidence.kind {
            case .sharedSong: .ownSong
            case .partnerHas: nil
            default: evidence
            }
        }
        track.reason = track.evidence.map(\.text).joined(separator: " ")
        return track
    }
}

extension SongEvidence {
    /// In a blend, only the person has the song.
    static let ownSong = SongEvidence(.inLibrary, "It is from your library.")
    /// Both people in a blend have the song.
    static let sharedSong = naming(.sharedSong, nil)
    /// The other person in a blend has the song.
    static let partnerHas = naming(.partnerHas, nil)

    fileprivate func naming(_ partner: String?) -> SongEvidence {
        switch kind {
        case .sharedSong, .partnerHas: Self.naming(kind, partner)
        default: self
        }
    }

    private static func naming(_ kind: Kind, _ partner: String?) -> SongEvidence {
        SongEvidence(
            kind,
            kind == .sharedSong
                ? partner.map { "You and \($0) both have it." } ?? "You both have it."
                : "\(partner ?? "The other person") has it.")
    }
}
