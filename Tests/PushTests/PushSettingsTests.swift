import Model
import Platform
import Push
import Settings
import Testing

@Suite("Settings of pushes")
struct PushSettingsTests {
    private func read(_ environment: [String: String]) -> (settings: PushSettings, problems: [String]) {
        var reader = ConfigurationReader(environment: environment, file: nil, keys: PushSettings.keys)
        let settings = PushSettings(reading: &reader)
        return (settings, reader.problems.map(\.description))
    }

    @Test("Without a contact, the site is the contact, if its address is public")
    func contact() throws {
        let (settings, problems) = read([:])
        #expect(problems.isEmpty && settings.ntfyNetworks.isEmpty && settings.simulatedService == nil)
        #expect(settings.contact(publicURL: "https://music.example.org")?.description == "https://music.example.org")
        for address in [nil, "http://127.0.0.1:8080", "https://music.local", "https://10.0.0.1"] {
            #expect(settings.contact(publicURL: address) == nil)
        }
        let own = read(["BACKLINE_PUSH_CONTACT": "mailto:admin@example.com"]).settings
        #expect(own.contact(publicURL: nil)?.description == "mailto:admin@example.com")
    }

    @Test("A contact that services refuse keeps a process from starting, with the reason")
    func refusedContact() {
        let (settings, problems) = read(["BACKLINE_PUSH_CONTACT": "mailto:admin@localhost"])
        #expect(settings.contact(publicURL: nil) == nil)
        #expect(
            problems == [
                #"error: push.contact "mailto:admin@localhost" names localhost, which is not a name on the public internet; "#
                    + "allowed: an https:// page, or mailto: with an address, of a public domain"
            ])
    }

    @Test("Networks of ntfy servers are ranges of addresses; a simulated service is on this machine")
    func networks() {
        let (settings, problems) = read([
            "BACKLINE_PUSH_NTFY_NETWORKS": "192.168.1.0/24, ::1",
            "BACKLINE_PUSH_SIMULATED_SERVICE": "http://127.0.0.1:4700/",
        ])
        #expect(problems.isEmpty)
        #expect(settings.ntfyNetworks.map(\.description) == ["192.168.1.0/24", "::1"])
        #expect(settings.simulatedService == "http://127.0.0.1:4700")
        for wrong in [
            ["BACKLINE_PUSH_NTFY_NETWORKS": "nas.local"],
            ["BACKLINE_PUSH_SIMULATED_SERVICE": "http://192.168.1.5:4700"],
            ["BACKLINE_PUSH_SIMULATED_SERVICE": "http://127.0.0.1:4700/push"],
        ] {
            #expect(read(wrong).problems.count == 1)
        }
    }
}
