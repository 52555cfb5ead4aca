import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Keeps a response's body.
final class CollectingWriter: ResponseBodyWriter, Sendable {
    private let buffer = Mutex(ByteBuffer())

    var bytes: [UInt8] { buffer.withLock { Array($0.readableBytesView) } }

    func write(_ part: ByteBuffer) async throws {
        _ = buffer.withLock { $0.writeImmutableBuffer(part) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
