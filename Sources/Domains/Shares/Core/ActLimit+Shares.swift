import Visibility

extension ActLimit {
    /// Taking a share back gives nothing back.
    package static let shares = [
        ActLimit(
            "sharesPerDay", count: 60, per: .seconds(86_400), act: "share", counted: "songs",
            again: "share another song")
    ]
    /// Reactions and thanks. Withdrawing one counts as none.
    package static let shareReactions = [
        ActLimit("reactionsPerDay", count: 60, per: .seconds(86_400), act: "react", again: "react again")
    ]
    package static let shareLinks = [
        ActLimit(
            "shareLinksPerDay", count: 60, per: .seconds(86_400), act: "make", counted: "links",
            again: "make another link")
    ]
}
