/// The network addresses to which a request may connect, whatever name leads to them.
package enum AllowedAddresses: Sendable, Equatable {
    case any
    /// Those of the internet (``PublicAddresses``). Behind a proxy, which resolves names itself, this is up to the
    /// proxy.
    case publicInternet
    /// Those of the internet, and an administrator's exceptions.
    case publicInternetOr([AddressRange])
    /// Those of an administrator's list, to which requests never take a proxy.
    case only([AddressRange])

    /// The addresses of this machine.
    package static let thisMachine = only(["127.0.0.0/8", "::1"].compactMap { AddressRange($0) })

    /// - Parameter address: 4 or 16 bytes.
    package func contain(_ address: [UInt8]) -> Bool {
        switch self {
        case .any: true
        case .publicInternet: PublicAddresses.contain(address)
        case .publicInternetOr(let ranges):
            PublicAddresses.contain(address) || ranges.contains { $0.contains(address) }
        case .only(let ranges): ranges.contains { $0.contains(address) }
        }
    }

    /// - Parameter address: in text form, an IPv6 address without brackets.
    package func contain(_ address: String) -> Bool {
        NetworkHost(address).addressBytes.map { contain($0) } ?? (self == .any)
    }

    /// Why an address is refused, as the cause of a failed connection.
    package var refusal: String {
        switch self {
        case .any, .publicInternet: "the host has an address that is not public"
        case .publicInternetOr, .only:
            "the host has an address that is not public, and that the administrator has not allowed"
        }
    }
}
