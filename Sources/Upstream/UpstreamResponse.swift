/// The answer of an upstream, whatever its status.
package struct UpstreamResponse: Sendable {
    /// The HTTP status, 100…599.
    package var status: Int
    /// By name in lower case. A repeated header has its last value.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package var isSuccess: Bool { (200..<300).contains(status) }
}
