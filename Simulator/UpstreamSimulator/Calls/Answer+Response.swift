import HTTPTypes
import Hummingbird
import NIOCore

extension Answer {
    /// Ends a connection in the middle of a body.
    private struct Truncation: Error {}

    /// The HTTP response. If the answer is not to be delivered, the connection ends here.
    func response(on channel: any Channel) async throws -> Response {
        let bytes = ByteBuffer(string: body)
        var response = Response(status: .init(code: status), headers: fields, body: ResponseBody(byteBuffer: bytes))
        switch delivery {
        case .whole: break
        case .wholeThenClose:
            try await channel.triggerUserOutboundEvent(ArrivalHandler.CloseAfterResponse()).get()
        case .half:
            response.body = ResponseBody(contentLength: bytes.readableBytes) { writer in
                try await writer.write(bytes.getSlice(at: 0, length: bytes.readableBytes / 2) ?? bytes)
                throw Truncation()
            }
        case .none:
            // The client may already have closed the channel, which is also what this fault does.
            try? await channel.close()
        }
        return response
    }

    private var fields: HTTPFields {
        var fields: HTTPFields = [:]
        if !contentType.isEmpty { fields[.contentType] = contentType }
        var pairs = headers
        if let quotaStatus, status == 200 {
            pairs += [
                ("Rate-Limit", String(quotaStatus.limit)), ("Rate-Limit-Available", String(quotaStatus.available)),
                ("Rate-Limit-Over", "0"), ("Rate-Limit-Reset", String(quotaStatus.resetsAt.microseconds / 1_000)),
            ]
        }
        for pair in pairs {
            if let name = HTTPField.Name(pair.name) { fields[name] = pair.value }
        }
        return fields
    }
}
