import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Collects a response's body.
final class CollectingWriter: ResponseBodyWriter, Sendable {
    private let buffer = Mutex(ByteBuffer())

    private let largest = Mutex(0)

    /// The size of the largest single write, in bytes.
    var largestPart: Int { largest.withLock { $0 } }
    var bytes: [UInt8] { buffer.withLock { Array($0.readableBytesView) } }

    func write(_ part: ByteBuffer) async throws {
        largest.withLock { $0 = max($0, part.readableBytes) }
        _ = buffer.withLock { $0.writeImmutableBuffer(part) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
