/// A picture at an upstream, in one or several sizes. Pages never load it from there: the gateway makes a path of this
/// site from it.
package struct Picture: Sendable, Hashable {
    /// One address of the picture.
    package struct Offer: Sendable, Hashable {
        /// As the upstream gives it; Apple's may have the placeholders `{w}` and `{h}` for a size.
        package var address: String
        /// In pixels; `nil` where the upstream does not tell.
        package var width: Int?

        package init(address: String, width: Int? = nil) {
            self.address = address
            self.width = width
        }
    }

    /// In the upstream's order; at least one.
    package let offers: [Offer]

    /// The most sizes of one picture; more are left out.
    package static let mostOffers = 8

    /// - Returns: `nil` without an address.
    package init?(_ offers: [Offer]) {
        let usable = offers.filter { !$0.address.isEmpty }.prefix(Self.mostOffers)
        guard !usable.isEmpty else { return nil }
        self.offers = Array(usable)
    }

    /// A picture of which one address is known.
    ///
    /// - Returns: `nil` without an address.
    package init?(address: String?) {
        guard let address else { return nil }
        self.init([Offer(address: address)])
    }
}
