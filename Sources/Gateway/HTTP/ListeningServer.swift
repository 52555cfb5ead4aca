import NIOCore
import Platform
import ServiceLifecycle

/// Runs the HTTP server. If it cannot listen, the error says where, why, and what to do, which SwiftNIO's does not.
package struct ListeningServer: Service {
    let server: any Service
    let host: String
    let port: Int

    package init(_ server: any Service, host: String, port: Int) {
        self.server = server
        self.host = host
        self.port = port
    }

    /// - Throws: ``BindError``, or another error of the server.
    package func run() async throws {
        do {
            try await server.run()
        } catch let error as IOError {
            let failure = BindError(
                code: error.errnoCode, host: host, port: port, hostKey: "http.host", portKey: "http.port")
            guard let failure else { throw error }
            throw failure
        } catch is SocketAddressError.UnknownHost {
            throw BindError(.nameUnknown, host: host, port: port, hostKey: "http.host", portKey: "http.port")
        }
    }
}
