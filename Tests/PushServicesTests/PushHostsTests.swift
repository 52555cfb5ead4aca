import Model
import Testing
import Upstream

@testable import PushServices

@Suite("Hosts of pushes")
struct PushHostsTests {
    private let start = MonotonicInstant(microseconds: 1_000_000_000)

    @Test("The usual services always have their own limits, and of the others a limited number")
    func places() {
        var table = PushHostTable()
        for number in 0..<PushHostTable.mostHosts {
            #expect(table.place(of: "h\(number).org", at: start) == .own("h\(number).org"))
        }
        #expect(table.place(of: "one-more.org", at: start) == .shared)
        #expect(table.place(of: "h0.org", at: start) == .own("h0.org"))
        for host in [
            "fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com",
            "wns2-par02p.notify.windows.com", "ntfy.sh",
        ] {
            #expect(table.place(of: host, at: start) == .usual(host))
        }
        // Names that only look like them.
        for host in [
            "fcm.googleapis.com.evil.org", "push.apple.com", "evilpush.apple.com", "xnotify.windows.com",
            "fcm.googleapis.com:8443", "web.push.apple.com:8443", "ntfy.sh:80",
        ] {
            #expect(table.place(of: host, at: start) == .shared)
        }
    }

    @Test("A host that was not used for ten minutes makes room for another")
    func retention() {
        var table = PushHostTable()
        for number in 0..<PushHostTable.mostHosts { _ = table.place(of: "h\(number).org", at: start) }
        let later = start.advanced(by: .seconds(300))
        #expect(table.place(of: "h0.org", at: later) == .own("h0.org"))
        #expect(table.place(of: "new.org", at: start.advanced(by: .seconds(599))) == .shared)
        #expect(table.place(of: "new.org", at: start.advanced(by: .seconds(600))) == .own("new.org"))
        #expect(table.place(of: "h0.org", at: start.advanced(by: .seconds(600))) == .own("h0.org"))
    }

    @Test("Only failures of a service pause its host, briefly if the host is not a usual one, and never all others")
    func pauses() {
        func verdict(_ status: Int, _ place: PushHostTable.Place) -> ResponseVerdict {
            PushHosts.classify(UpstreamResponse(status: status, headers: ["retry-after": "86400"]), of: place)
        }
        let places = [PushHostTable.Place.usual("fcm.googleapis.com"), .own("a.org"), .shared]
        for place in places {
            #expect(verdict(201, place) == .success)
            for status in [301, 400, 401, 403, 404, 406, 410, 413, 429] { #expect(verdict(status, place) == .final) }
        }
        #expect(
            places.map { verdict(503, $0) } == [
                .retryable(after: .seconds(86_400)), .retryable(after: PushHosts.longestPause), .final,
            ])
    }
}
