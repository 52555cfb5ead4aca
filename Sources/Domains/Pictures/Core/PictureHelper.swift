import Foundation
import Platform
import Synchronization

/// Makes pictures that people upload small, in processes of the program picture-helper, which can do nothing else
/// (docs/pictures.md).
package final class PictureHelper: Sendable {
    /// The most bytes of a file.
    package static let maximumBytes = 5 << 20
    /// The longest side of the result, in pixels.
    package static let longestSide = 200
    /// The most bytes of the result.
    package static let maximumResultBytes = 40_000
    /// The media types of files that it reads.
    package static let mediaTypes = ["image/jpeg", "image/png", "image/webp"]

    /// The processes that run at once.
    private static let processes = 2
    /// The longest wait for one of them.
    private static let patience = Duration.seconds(5)
    /// The time after which one is killed. It ends itself after 5 s of processor time.
    private static let lifetime = Duration.seconds(10)

    private let path: String
    private let slots: TimedSlots
    private let patience: Duration
    private let lifetime: Duration

    /// - Parameter path: the executable.
    package convenience init(path: String) {
        self.init(path: path, patience: Self.patience, lifetime: Self.lifetime)
    }

    init(path: String, processes: Int = processes, patience: Duration = patience, lifetime: Duration = lifetime) {
        self.path = path
        slots = TimedSlots(count: processes)
        self.patience = patience
        self.lifetime = lifetime
    }

    /// Where builds and installations have it: in the folder of the running executable.
    package static var besideExecutable: String {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: executable).deletingLastPathComponent().appending(path: "picture-helper").path
    }

    /// Makes a file's picture small: upright, without metadata, and no longer than ``longestSide``.
    ///
    /// - Parameter file: a JPEG, PNG or WebP, of any size and content.
    /// - Throws: ``UploadRefusal``.
    package func smallPicture(of file: [UInt8]) async throws(UploadRefusal) -> CheckedPicture {
        guard file.count <= Self.maximumBytes else { throw .tooLarge }
        guard await slots.take(within: patience) else { throw .busy }
        defer { slots.release() }
        let run = await withCheckedContinuation { continuation in
            NamedThread.start("picture-helper") { [path, lifetime] in
                continuation.resume(
                    returning: Result { () throws(FilterProcess.StartFailure) in
                        try FilterProcess(
                            running: path, input: file, maximumOutput: Self.maximumResultBytes, timeout: lifetime)
                    })
            }
        }
        switch run {
        case .success(let process): return try Self.picture(from: process)
        case .failure(let failure): throw .unavailable(reason: "\(failure)")
        }
    }

    /// The result of a run. It is checked like any other bytes from outside: the process may have been taken over by
    /// the file that it read.
    private static func picture(from process: FilterProcess) throws(UploadRefusal) -> CheckedPicture {
        switch process.end {
        case .exited(0): break
        case .exited(let status): throw UploadRefusal(status: status)
        case .killed, .stopped: throw .beyondLimits
        }
        guard let picture = try? CheckedPicture(process.output, longestSide: longestSide), picture.format == .webP
        else { throw .beyondLimits }
        return picture
    }
}

/// Why an uploaded file does not become a picture.
package enum UploadRefusal: Error, Sendable, Equatable {
    /// It has no format of a picture.
    case notPicture
    /// It is a picture, but in a format that is not read, such as HEIC.
    case unsupported
    case tooManyPixels
    case damaged
    /// It has more than ``PictureHelper/maximumBytes``.
    case tooLarge
    /// Reading it took too long or too much memory, or tried what the program may not do.
    case beyondLimits
    /// Other pictures are being read, and none of them was done in time.
    case busy
    /// This machine cannot read pictures: the program is missing, or the kernel cannot confine it.
    case unavailable(reason: String)

    /// - Parameter status: the program's exit status, which is not 0: `enum outcome` in `Sources/PictureHelper`.
    init(status: Int32) {
        self =
            switch status {
            case 2: .notPicture
            case 3: .unsupported
            case 4: .tooManyPixels
            case 5: .damaged
            case 6: .tooLarge
            case 7: .unavailable(reason: "the kernel does not support the sandbox that picture-helper needs")
            case 8: .beyondLimits
            // 127: a library is missing.
            default: .unavailable(reason: "picture-helper ended with status \(status)")
            }
    }

    /// What `/metrics` counts it as.
    package var outcome: String {
        switch self {
        case .notPicture: "notPicture"
        case .unsupported: "unsupported"
        case .tooManyPixels: "tooManyPixels"
        case .damaged: "damaged"
        case .tooLarge: "tooLarge"
        case .beyondLimits: "beyondLimits"
        case .busy: "busy"
        case .unavailable: "unavailable"
        }
    }
}
