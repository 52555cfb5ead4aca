/// The answer of an upstream, whatever its status.
package struct UpstreamResponse: Sendable {
    /// The HTTP status, 100…599.
    package var status: Int
    /// Keys are names in lower case. For a repeated header, the last value counts.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package var isSuccess: Bool { (200..<300).contains(status) }
}
