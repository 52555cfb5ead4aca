import Foundation
import Settings

extension ConfigurationRule where Value == String {
    /// The base of a language model's server, with or without `/v1`; stored with it.
    static var endpointURL: Self {
        Self(
            allowed:
                "an https:// URL (http:// for loopback and private addresses only) without user, query or fragment",
            parse: { text in
                ConfiguredURL.normalized(text, allowsPrivateNetwork: true).map {
                    $0.hasSuffix("/v1") ? $0 : $0 + "/v1"
                }
            }, text: { $0 }, redact: { ConfiguredURL.redacted($0) })
    }

    /// The name of a model as its server knows it, such as `llama3.1:8b`.
    static var modelName: Self {
        text("a name of 1 to 200 characters") { (1...200).contains($0.utf8.count) && isPrintable($0) }
    }

    static var currency: Self {
        text("three capital letters of ISO 4217, such as EUR") { code in
            code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5a).contains($0) }
        }
    }
}

extension ConfigurationRule where Value == [String] {
    /// Names of language models, which become a part of URLs.
    static var modelNames: Self {
        list("names of models of letters, digits, dots and hyphens") { name in
            let isName =
                (1...100).contains(name.utf8.count)
                && name.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20) || byte == 0x2d || byte == 0x2e
                }
            return isName ? name : nil
        }
    }
}

extension ConfigurationRule where Value == [TokenPrice] {
    static var tokenPrices: Self {
        Self(
            allowed: "MODEL=INPUT/OUTPUT, separated by commas, each model once; prices from 0 to 1000000, six decimals"
                + " at most",
            parse: { text in
                let prices = text.split(separator: ",", omittingEmptySubsequences: false)
                    .map { TokenPrice($0.trimmingCharacters(in: .whitespaces)) }
                let names = prices.compactMap { $0?.model }
                guard !prices.contains(nil), Set(names).count == names.count,
                    names.allSatisfy(ConfigurationRule<String>.isPrintable)
                else {
                    return nil
                }
                return prices.compactMap(\.self)
            },
            text: { $0.isEmpty ? nil : $0.map(\.text).joined(separator: ", ") })
    }
}
