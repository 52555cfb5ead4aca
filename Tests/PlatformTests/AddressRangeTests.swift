import Glibc
import Platform
import Testing

@Suite("Address ranges")
struct AddressRangeTests {
    private func bytes(_ text: String) -> [UInt8] {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        return inet_pton(AF_INET6, text, &six) == 1 ? withUnsafeBytes(of: six) { Array($0) } : []
    }

    @Test(
        "A range contains the addresses that begin with its bits",
        arguments: [
            ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.0", false), ("192.0.2.128/25", "192.0.2.129", true),
            ("192.0.2.128/25", "192.0.2.127", false), ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "2001:db8::1", false), ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::1", "::1", true),
            ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false), ("::/0", "2001:db8::1", true),
            ("::/0", "10.0.0.1", true), ("2001:db8::/33", "2001:db8:7fff::", true),
            ("2001:db8::/33", "2001:db8:8000::", false),
        ])
    func containedAddresses(range: String, address: String, isIn: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(bytes(address)) == isIn)
    }

    @Test(
        "Other texts are refused",
        arguments: [
            "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "10.0.0", "localhost",
            "1.2.3.4/8/8",
            "10.0.0.0/8 ",
        ])
    func refusedTexts(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
