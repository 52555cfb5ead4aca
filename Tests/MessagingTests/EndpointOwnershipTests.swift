import Foundation
import TestSupport
import Testing

@testable import Messaging

@Suite("Binding of endpoints", .timeLimit(.minutes(5)))
struct EndpointOwnershipTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("A second router is refused, and may start when the first has closed", arguments: EndpointKind.allCases)
    func secondBind(place: EndpointKind) async throws {
        let first = try await RouterUnderTest(place.endpoint(in: folder), answers: true)
        let error = await #expect(throws: MessagingError.self) { _ = try await RouterUnderTest(first.endpoint) }
        if place == .ipc {
            #expect(error == .endpointInUse(first.endpoint, holder: getpid()))
        } else {
            let address = first.endpoint.description.dropFirst("tcp://".count)
            #expect(error?.description.hasPrefix("Another program already listens at \(address) (") == true)
            #expect(error?.description.hasSuffix("Stop it, or change messaging.endpoint.") == true)
        }
        // Workers still reach the first router.
        let worker = try await DealerUnderTest(first.endpoint, as: "w")
        worker.dealer.send([1])
        #expect(await worker.arrivals.wait(for: 1) == [[1]])
        await worker.dealer.close()

        await first.router.close()
        let second = try await RouterUnderTest(first.endpoint)
        await second.router.close()
    }

    @Test("A refused router names the other process, and starts once that has been killed")
    func killedHolder() async throws {
        let path = folder.file("r.sock")
        let endpoint = try Endpoint("ipc://\(path)")
        // As a second gateway would hold it, with its process id in the file.
        let holder = try await ChildProcess.holdingLock(of: path + ".lock")
        try Data("\(holder.processID)\n".utf8).write(to: URL(filePath: path + ".lock"))
        try leaveSocketFile(at: path)

        await #expect(throws: MessagingError.endpointInUse(endpoint, holder: holder.processID)) {
            _ = try await RouterUnderTest(endpoint)
        }
        #expect(FileManager.default.fileExists(atPath: path), "a refused router must not touch the other's socket")

        await holder.destroy()
        let gateway = try await RouterUnderTest(endpoint, answers: true)
        let worker = try await DealerUnderTest(endpoint, as: "w")
        worker.dealer.send([1])
        #expect(await worker.arrivals.wait(for: 1) == [[1]])
        await worker.dealer.close()
        await gateway.router.close()
    }

    @Test("The error names the process and what to do")
    func errorText() throws {
        let error = MessagingError.endpointInUse(try Endpoint("ipc:///run/gateway.ipc"), holder: 4711)
        #expect(
            error.description == "ipc:///run/gateway.ipc is in use by process 4711. Stop that gateway first, or give "
                + "this one another messaging.endpoint.")
    }

    // An address for documentation (RFC 5737), which no machine has.
    @Test("An address of another machine is refused with the setting to change")
    func foreignAddress() async throws {
        let error = await #expect(throws: MessagingError.self) {
            _ = try await Keys().router(at: "tcp://192.0.2.1:7300")
        }
        #expect(
            error?.description == "Nothing can listen at 192.0.2.1:7300, because this machine does not have the "
                + "address 192.0.2.1. Set messaging.endpoint to one of its own addresses ('ip address' lists them).")
    }

    @Test("A missing folder is created with mode 0700")
    func createsFolder() async throws {
        let path = folder.file("a/b")
        let gateway = try await RouterUnderTest(Endpoint("ipc://\(path)/r.sock"))
        #expect(try FileMode.of(path) == 0o700)
        #expect(try FileMode.of(path + "/r.sock.lock") == 0o600)
        await gateway.router.close()
    }

    @Test("A folder that contains only sockets and lock files gets mode 0700")
    func tightensFolder() async throws {
        let path = folder.file("run")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try leaveSocketFile(at: path + "/r.sock")
        try Data().write(to: URL(fileURLWithPath: path + "/r.sock.lock"))
        try FileMode.set(0o755, of: path)
        let gateway = try await RouterUnderTest(Endpoint("ipc://\(path)/r.sock"))
        #expect(try FileMode.of(path) == 0o700)
        await gateway.router.close()
    }

    @Test("An open folder with other files is refused unchanged, with the command to change it")
    func sharedFolder() async throws {
        let path = folder.file("data")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Data().write(to: URL(fileURLWithPath: path + "/backline.sqlite"))
        try FileMode.set(0o755, of: path)
        let error = await #expect(throws: MessagingError.self) {
            _ = try await RouterUnderTest(Endpoint("ipc://\(path)/r.sock"))
        }
        #expect(error?.description.contains("mode 755") == true)
        #expect(error?.description.contains("chmod 700 '\(path)'") == true)
        #expect(try FileMode.of(path) == 0o755)

        try FileMode.set(0o700, of: path)
        let gateway = try await RouterUnderTest(Endpoint("ipc://\(path)/r.sock"))
        await gateway.router.close()
    }

    @Test("A sticky folder is never changed; the error offers a folder inside it")
    func stickyFolder() async throws {
        let path = folder.file("sticky")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(chmod(path, 0o1777) == 0)
        let error = await #expect(throws: MessagingError.self) {
            _ = try await RouterUnderTest(Endpoint("ipc://\(path)/r.sock"))
        }
        #expect(error?.description.contains("ipc://\(path)/backline-\(geteuid())/r.sock") == true)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o1777)
    }

    @Test(
        "Routing ids that libzmq does not accept are refused",
        arguments: [[], [0, 1], [UInt8](repeating: 1, count: 256)])
    func routingIDs(bytes: [UInt8]) throws {
        #expect(throws: MessagingError.invalidRoutingID(bytes)) {
            try MessageDealer(endpoint: Endpoint("tcp://127.0.0.1:7300"), routingID: PeerID(bytes: bytes))
        }
    }

    @Test("A dealer's endpoint needs a port")
    func dealerWithoutPort() throws {
        let error = #expect(throws: MessagingError.self) {
            try MessageDealer(endpoint: Endpoint("tcp://127.0.0.1:*"), routingID: PeerID("w"))
        }
        #expect(error?.description.contains("the exact port") == true)
    }

    /// A socket file without a listener, as `kill -9` leaves behind.
    private func leaveSocketFile(at path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafeBytes(of: &address) { bytes in
            bind(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
        }
        try #require(status == 0)
    }
}
