/// A picture of squares of 8 × 8 pixels, each of a single colour, and its encoding as a JPEG file.
///
/// Squares of one colour need no cosine transform: a baseline JPEG (ITU-T T.81) encodes squares of that size, and one
/// of a single colour consists of its mean alone. So a few dozen lines encode what any browser can decode.
struct BlockPicture {
    struct Color: Equatable {
        var red: Double
        var green: Double
        var blue: Double

        /// The colour that is `share` (0 to 1) of the way to another.
        func mixed(with other: Color, _ share: Double) -> Color {
            Color(
                red: red + (other.red - red) * share, green: green + (other.green - green) * share,
                blue: blue + (other.blue - blue) * share)
        }
    }

    /// The width in pixels. The last column and row may show only a part of their squares.
    let width: Int
    let height: Int
    let columns: Int
    let rows: Int
    private var squares: [Color]

    /// - Parameter fill: the colour of the square in that column and row.
    init(width: Int, height: Int, fill: (_ column: Int, _ row: Int) -> Color) {
        self.width = width
        self.height = height
        let (columns, rows) = ((width + 7) / 8, (height + 7) / 8)
        self.columns = columns
        self.rows = rows
        squares = (0..<columns * rows).map { fill($0 % columns, $0 / columns) }
    }

    subscript(column: Int, row: Int) -> Color {
        get { squares[row * columns + column] }
        set { squares[row * columns + column] = newValue }
    }

    // MARK: The file

    var jpeg: [UInt8] {
        var file: [UInt8] = [0xFF, 0xD8]
        segment(0xE0, Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0], to: &file)
        // With a divisor of 8 the mean is stored unchanged: the transform's first value is eight times the mean.
        segment(0xDB, [0] + [UInt8](repeating: 8, count: 64), to: &file)
        let size = [UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF)]
        // Three components, each sampled at every pixel, with quantisation table 0.
        segment(0xC0, [8] + size + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0], to: &file)
        segment(0xC4, [0x00] + Self.meanCodeCounts + (0...11), to: &file)
        // A square's other 63 values are one code, "none", which is the single bit 0.
        segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0], to: &file)
        segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0], to: &file)
        file += scan
        return file + [0xFF, 0xD9]
    }

    private func segment(_ marker: UInt8, _ content: [UInt8], to file: inout [UInt8]) {
        let length = content.count + 2
        file += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }

    /// How many codes of 1 to 16 bits there are for the size of a difference of means (T.81, table K.3).
    private static let meanCodeCounts: [UInt8] = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    /// The codes that follow from these counts, by the size of the difference in bits; its mean has 8 of them.
    private static let meanCodes: [(code: UInt32, length: Int)] = [
        (0b00, 2), (0b010, 3), (0b011, 3), (0b100, 3), (0b101, 3), (0b110, 3), (0b1110, 4), (0b11110, 5),
        (0b111110, 6),
    ]

    /// The means of all squares, row by row, each as its difference from the one before.
    private var scan: [UInt8] {
        var bits = BitWriter()
        var last = [0, 0, 0]
        for square in squares {
            for (component, mean) in square.means.enumerated() {
                let difference = mean - last[component]
                last[component] = mean
                let size = Int.bitWidth - abs(difference).leadingZeroBitCount
                let (code, length) = Self.meanCodes[size]
                bits.write(code, length)
                // Negative differences are written one less, in as many bits.
                bits.write(UInt32(truncatingIfNeeded: difference < 0 ? difference - 1 : difference), size)
                bits.write(0, 1)
            }
        }
        return bits.finished
    }
}

extension BlockPicture.Color {
    /// Luma and the two differences of colour as JFIF defines them, less 128: -128 to 127.
    fileprivate var means: [Int] {
        let luma = 0.299 * red + 0.587 * green + 0.114 * blue
        return [luma - 128, (blue - luma) / 1.772, (red - luma) / 1.402].map { min(127, max(-128, Int($0.rounded()))) }
    }
}

/// A sequence of bits, the highest first; a byte of ones is followed by a zero byte, which distinguishes it from a
/// marker.
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt32 = 0
    private var count = 0

    /// Writes the lowest `length` bits, at most 24.
    mutating func write(_ value: UInt32, _ length: Int) {
        pending = pending << UInt32(length) | (value & ((1 << UInt32(length)) - 1))
        count += length
        while count >= 8 {
            count -= 8
            append(UInt8(truncatingIfNeeded: pending >> UInt32(count)))
        }
    }

    /// All bytes, with the last one filled up with ones.
    var finished: [UInt8] {
        var copy = self
        if count > 0 { copy.write(0xFF, 8 - count) }
        return copy.bytes
    }

    private mutating func append(_ byte: UInt8) {
        bytes.append(byte)
        if byte == 0xFF { bytes.append(0) }
    }
}
