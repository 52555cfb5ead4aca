import Foundation

/// A short tone, whose name determines its pitch, as a WAV file, which every browser plays.
struct Tone {
    /// The sample rate, per second.
    private static let rate = 8_000
    private static let seconds = 3

    private let frequency: Double

    init(of name: String) {
        var numbers = SeededGenerator(seed: 5, stream: name)
        // Two octaves of semitones from A3.
        frequency = 220 * pow(2, Double(numbers.number(in: 0...24)) / 12)
    }

    /// A RIFF WAVE file with 16 bits per sample and one channel.
    var wave: [UInt8] {
        let count = Self.rate * Self.seconds
        var file: [UInt8] = []
        func put(_ text: String) { file += Array(text.utf8) }
        func put(_ value: Int, bytes: Int) {
            for byte in 0..<bytes { file.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        }
        put("RIFF")
        put(36 + count * 2, bytes: 4)
        put("WAVEfmt ")
        put(16, bytes: 4)
        put(1, bytes: 2)
        put(1, bytes: 2)
        put(Self.rate, bytes: 4)
        put(Self.rate * 2, bytes: 4)
        put(2, bytes: 2)
        put(16, bytes: 2)
        put("data")
        put(count * 2, bytes: 4)
        for sample in 0..<count {
            // It fades in and out, so that it does not click.
            let edge = Double(min(sample, count - sample)) / Double(Self.rate / 10)
            let angle = 2 * Double.pi * frequency * Double(sample) / Double(Self.rate)
            put(Int(8_000 * min(1, edge) * sin(angle)), bytes: 2)
        }
        return file
    }
}
