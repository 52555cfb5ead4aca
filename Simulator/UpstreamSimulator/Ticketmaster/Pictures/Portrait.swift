import Foundation

/// The picture of an artist, event or cover, which its name determines: initials on two colours.
struct Portrait {
    private static let chalk = BlockPicture.Color(red: 250, green: 248, blue: 240)
    private static let grey = BlockPicture.Color(red: 110, green: 114, blue: 122)

    private let top: BlockPicture.Color
    private let bottom: BlockPicture.Color
    private let letters: [[UInt8]]

    /// - Parameters:
    ///   - name: `nil` for the stock picture, which is grey.
    ///   - hasLetters: whether its initials are drawn.
    init(name: String?, hasLetters: Bool = true) {
        guard let name else {
            (top, bottom, letters) = (Self.grey, Self.grey.mixed(with: Self.chalk, 0.35), [])
            return
        }
        var numbers = SeededGenerator(seed: 3, stream: name)
        let hue = Double(numbers.number(in: 0...359))
        top = .init(hue: hue, lightness: 0.32)
        bottom = .init(hue: hue + Double(numbers.number(in: 40...110)), lightness: 0.5)
        letters = hasLetters ? Self.initials(of: name).compactMap { LetterShape.columns[$0] } : []
    }

    /// One or two of the letters A to Z and digits, chosen as the pages choose a name's initials.
    static func initials(of name: String) -> [Character] {
        let words = SearchText.fold(name).uppercased().split { !$0.isLetter && !$0.isNumber }
        let telling = words.count > 2 && words[0] == "THE" ? words.dropFirst() : words[...]
        return telling.count == 1 ? telling.flatMap { $0.prefix(2) } : telling.prefix(2).compactMap(\.first)
    }

    func drawn(in size: PictureSize) -> BlockPicture {
        let (columns, rows) = (Double(size.width) / 8, Double(size.height) / 8)
        var picture = BlockPicture(width: size.width, height: size.height) { column, row in
            // A light disc behind the letters, with an edge that is softened by half a square.
            let distance = hypot(Double(column) + 0.5 - columns / 2, Double(row) + 0.5 - rows / 2)
            let ground = top.mixed(with: bottom, (Double(column) / columns + Double(row) / rows) / 2)
            return ground.mixed(with: Self.chalk, 0.14 * min(1, max(0, rows * 0.46 - distance + 0.5)))
        }
        draw(on: &picture)
        return picture
    }

    /// Draws the letters into the middle, so large that they fill three quarters of the largest square; leaves them out
    /// if there is no room.
    private func draw(on picture: inout BlockPicture) {
        let (width, height) = (letters.count * (LetterShape.width + 1) - 1, LetterShape.height)
        let scale = picture.rows * 3 / 4 / max(width, height)
        guard !letters.isEmpty, scale > 0 else { return }
        let left = (picture.columns - width * scale) / 2
        let top = (picture.rows - height * scale) / 2
        for (number, letter) in letters.enumerated() {
            for (column, dots) in letter.enumerated() {
                for row in 0..<height where dots & (1 << UInt8(row)) != 0 {
                    for square in 0..<scale * scale {
                        let x = left + (number * (LetterShape.width + 1) + column) * scale + square % scale
                        picture[x, top + row * scale + square / scale] = Self.chalk
                    }
                }
            }
        }
    }
}

extension BlockPicture.Color {
    /// - Parameters:
    ///   - hue: in degrees; any number.
    ///   - lightness: 0 to 1, at a saturation of 0.55.
    fileprivate init(hue: Double, lightness: Double) {
        let chroma = (1 - abs(2 * lightness - 1)) * 0.55
        func channel(_ offset: Double) -> Double {
            let sector = ((hue / 30 + offset).truncatingRemainder(dividingBy: 12) + 12)
                .truncatingRemainder(dividingBy: 12)
            return 255 * (lightness - chroma / 2 * max(-1, min(1, min(sector - 3, 9 - sector))))
        }
        self.init(red: channel(0), green: channel(8), blue: channel(4))
    }
}
