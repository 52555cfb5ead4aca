/// A picture at an upstream, in one or several sizes. Pages never load it from there: the gateway replaces its address
/// with a path on this site.
package struct Picture: Sendable, Hashable {
    /// One address of the picture.
    package struct Offer: Sendable, Hashable {
        /// The address as the upstream gives it; Apple's may have the placeholders `{w}` and `{h}` for a size.
        package var address: String
        /// The width in pixels; `nil` if the upstream does not report it.
        package var width: Int?

        package init(address: String, width: Int? = nil) {
            self.address = address
            self.width = width
        }
    }

    /// The offers in the upstream's order; at least one.
    package let offers: [Offer]

    /// The most sizes of one picture; further ones are dropped.
    package static let mostOffers = 8

    /// - Returns: `nil` without an address.
    package init?(_ offers: [Offer]) {
        let usable = offers.filter { !$0.address.isEmpty }.prefix(Self.mostOffers)
        guard !usable.isEmpty else { return nil }
        self.offers = Array(usable)
    }

    /// A picture with only one known address.
    ///
    /// - Returns: `nil` without an address.
    package init?(address: String?) {
        guard let address else { return nil }
        self.init([Offer(address: address)])
    }
}
