import Foundation
import Model
import Platform
import Settings

/// The settings of pushes.
package struct PushSettings: SettingsSection {
    /// The contact for push services, as it is configured.
    private var configuredContact: VAPIDContact?
    /// The addresses outside of the public internet at which people's ntfy servers may be.
    package var ntfyNetworks: [AddressRange]
    /// The origin of a simulated push service on this machine; `nil` for none.
    package var simulatedService: String?

    package static let keys = [
        Keys.contact.summary, Keys.ntfyNetworks.summary, Keys.simulatedService.summary,
    ]

    package init(reading reader: inout ConfigurationReader) {
        ntfyNetworks = reader.value(Keys.ntfyNetworks)
        simulatedService = reader.value(Keys.simulatedService)
        guard let text = reader.value(Keys.contact) else { return }
        do {
            configuredContact = try VAPIDContact(text)
        } catch {
            reader.report(
                .error("\(Keys.contact.path) \(quoted(text)) \(error.reason); allowed: \(Keys.contact.rule.allowed)"))
        }
    }

    /// The contact for push services: the configured one, or else the site itself; `nil` if its address is not public,
    /// so that nothing can be sent by Web Push.
    ///
    /// - Parameter publicURL: the address of the site (`http.publicURL`).
    package func contact(publicURL: String?) -> VAPIDContact? {
        configuredContact ?? publicURL.flatMap { try? VAPIDContact($0) }
    }
}

private enum Keys {
    static let contact = ConfigurationKey(
        "push.contact",
        optional: .text("an https:// page, or mailto: with an address, of a public domain") {
            ConfigurationRule<String>.isPrintable($0)
        },
        example: "mailto:admin@example.com",
        meaning: """
            How the operators of push services can reach the administrator: the address of a page or a mailbox, which
            they receive with each message. Its domain must be public, because push services refuse any other. Unset, it
            is http.publicURL, if that is public. Without either, nothing is sent by Web Push.
            """)

    static let ntfyNetworks = ConfigurationKey(
        "push.ntfyNetworks", .addressRanges, default: [], example: "192.168.1.0/24",
        meaning: """
            The private addresses at which people's own ntfy servers may be, even without https. Everybody with an
            account can then have messages sent to these addresses. Unset, only public addresses are allowed.
            """)

    static let simulatedService = ConfigurationKey(
        "push.simulatedService", optional: .loopbackOrigin, example: "http://127.0.0.1:4700",
        meaning: """
            The origin of a simulated push service on this machine, for tests and demonstrations. Browsers' push
            services are always at public addresses.
            """)
}

extension ConfigurationRule where Value == String {
    fileprivate static var loopbackOrigin: Self {
        Self(
            allowed: "http://, a loopback address and a port",
            parse: { text in
                guard let origin = ConfiguredURL.origin(text), let host = URLComponents(string: origin)?.host,
                    NetworkHost.isLoopback(host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")))
                else { return nil }
                return origin
            }, text: { $0 })
    }
}
