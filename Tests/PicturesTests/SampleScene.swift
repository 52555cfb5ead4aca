import Foundation
import TestSupport

@testable import Pictures

/// A small picture that every format stores without loss, upright and in files of several formats
/// (`Samples/make-samples`).
enum SampleScene {
    static let (width, height) = (48, 64)

    /// The colors of its areas of 16 × 16 pixels.
    private static let areas: [[Character]] = ["wwk", "wrk", "kkk", "rww"].map { Array($0) }

    private static func color(_ x: Int, _ y: Int) -> [UInt8] {
        switch areas[y / 16][x / 16] {
        case "w": [255, 255, 255]
        case "r": [254, 0, 0]
        default: [0, 0, 0]
        }
    }

    /// The bytes of a file of the folder `Samples`.
    static func file(_ name: String) throws -> [UInt8] {
        guard let folder = Bundle.module.resourceURL else { throw CocoaError(.fileNoSuchFile) }
        return Array(try Data(contentsOf: folder.appending(path: "Samples/\(name)")))
    }

    static func png(_ form: SamplePNG.Form = .rgb, bits: Int = 8, isInterlaced: Bool = false) -> SamplePNG {
        SamplePNG(width: width, height: height, form, bits: bits, isInterlaced: isInterlaced) { x, y in
            let color = color(x, y)
            let samples: [UInt8] =
                switch form {
                case .gray: [color[1]]
                case .grayAlpha: [color[1], 255]
                case .rgb: color
                case .rgba: color + [255]
                }
            // 16 bits of the same brightness are the eight bits twice.
            return bits == 8 ? samples : samples.flatMap { [$0, $0] }
        }
    }

    /// The scene as it is stored with an orientation (Exif 2.32, section 4.6.4), and the chunk that names it.
    static func png(orientation: Int) -> SamplePNG {
        let isTurned = orientation >= 5
        let (storedWidth, storedHeight) = isTurned ? (height, width) : (width, height)
        var png = SamplePNG(width: storedWidth, height: storedHeight) { column, row in
            // The side of the scene that is the first row, and that is the first column.
            let (x, y): (Int, Int) =
                switch orientation {
                case 2: (width - 1 - column, row)
                case 3: (width - 1 - column, height - 1 - row)
                case 4: (column, height - 1 - row)
                case 5: (row, column)
                case 6: (width - 1 - row, column)
                case 7: (width - 1 - row, height - 1 - column)
                case 8: (row, height - 1 - column)
                default: (column, row)
                }
            return color(x, y)
        }
        png.chunks.insert(("eXIf", exif(orientation: orientation)), at: 0)
        return png
    }

    /// Exif data with an orientation alone: a directory of one entry.
    private static func exif(orientation: Int) -> [UInt8] {
        [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
    }
}
