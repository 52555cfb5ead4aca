import Visibility

extension ActLimit {
    /// Taking a share back gives nothing back.
    package static let shares = [ActLimit("sharesPerDay", count: 60, per: .seconds(86_400))]
    /// Reactions and thanks. Withdrawing one counts as none.
    package static let shareReactions = [ActLimit("reactionsPerDay", count: 60, per: .seconds(86_400))]
    package static let shareLinks = [ActLimit("shareLinksPerDay", count: 60, per: .seconds(86_400))]
}
