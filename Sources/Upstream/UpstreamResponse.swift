/// What an upstream answered, whatever its status.
package struct UpstreamResponse: Sendable {
    /// The HTTP status, 100…599.
    package var status: Int
    /// Names in lower case; of a repeated header the last value.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package var isSuccess: Bool { (200..<300).contains(status) }
}
