import Glibc
import Platform
import Testing

@Suite("Addresses at which a program cannot listen")
struct BindErrorTests {
    private func text(_ code: Int32, host: String = "127.0.0.1", port: Int = 8080) -> String? {
        BindError(code: code, host: host, port: port, hostKey: "http.host", portKey: "http.port")?.description
    }

    @Test("Each error says where, why, and which setting to change")
    func textsOfErrors() throws {
        let taken = try #require(text(EADDRINUSE, host: "::1"))
        #expect(taken.hasPrefix("Another program already listens at [::1]:8080 "))
        #expect(taken.hasSuffix("Stop it, or change http.port."))
        let reserved = try #require(text(EACCES, port: 80))
        #expect(reserved.hasPrefix("This program may not listen at 127.0.0.1:80: ports below 1024 "))
        #expect(reserved.contains("Set http.port to a higher port"))
        let absent = try #require(text(EADDRNOTAVAIL, host: "192.0.2.1"))
        #expect(absent.contains("at 192.0.2.1:8080, because this machine does not have the address 192.0.2.1."))
        #expect(absent.contains("Set http.host to one of its own addresses"))
        let unknown = BindError(.nameUnknown, host: "nowhere", port: 1, hostKey: "http.host", portKey: "http.port")
        #expect(unknown.description.contains("no address of the name nowhere can be found. Set http.host to "))
    }

    @Test("An error that another address does not mend stays as it is")
    func otherErrors() {
        #expect(text(EMFILE) == nil && text(ENOMEM) == nil && text(EINVAL) == nil)
    }
}
