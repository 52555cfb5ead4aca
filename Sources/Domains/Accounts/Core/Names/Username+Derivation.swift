import Foundation
import Model
import Storage

/// Usernames that Backline makes, for people who have not chosen one.
extension Username {
    /// The numbers that are tried in order after a name that somebody has.
    static let numbers = 2...50
    /// The most numbers of the fallback and of what follows a name beyond ``numbers`` that are tried.
    private static let tries = 100

    /// The username that comes closest to a name in any script.
    ///
    /// Other scripts are transliterated by Unicode's rules, which give Chinese characters their Mandarin reading; the
    /// person can choose another name.
    ///
    /// - Returns: `nil` when nothing of the name can be written so, when it is an e-mail address, which others must not
    ///   see, and when the result is a reserved word.
    static func transliterated(_ name: String) -> String? {
        guard !name.contains("@") else { return nil }
        let latin = NSString(string: name).applyingTransform(.toLatin, reverse: false) ?? name
        var text = ""
        for scalar in FoldedText.scalars(of: latin) {
            let byte = UInt8(scalar.value, in: 0...0x7F)
            if let byte, isLetterOrDigit(byte) || byte == UInt8(ascii: ".") {
                text.unicodeScalars.append(scalar)
            } else if !text.isEmpty, text.utf8.last != UInt8(ascii: "_"), !isMark(scalar) {
                text += "_"
            }
        }
        let cut = String(trimmed(text).prefix(lengths.upperBound))
        let username = String(trimmed(cut))
        return isValid(username) && !isReserved(username) ? username : nil
    }

    /// Marks and modifier letters that a transliteration leaves belong to the letters around them.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .modifierLetter, .modifierSymbol, .format: true
        default: false
        }
    }

    private static func trimmed(_ text: String) -> Substring {
        text.drop { isSeparator($0.asciiValue ?? 0) }.trimmingSuffix { isSeparator($0.asciiValue ?? 0) }
    }

    /// `listener_` and six letters.
    static func random() -> String {
        "listener_" + String((0..<6).map { _ in Character(Unicode.Scalar(UInt8.random(in: 0x61...0x7A))) })
    }

    /// A username that the person may get. The caller stores it in the same transaction, so that nobody can take it in
    /// between.
    ///
    /// - Parameters:
    ///   - name: the person's name in any script; `nil` for none.
    ///   - userID: the person, who may have the username already; `nil` for somebody new.
    static func free(
        from name: String?, for userID: String? = nil, heldNames: RecognitionKey?, now: Timestamp,
        in reader: some SQLReader
    ) throws -> String {
        func isFree(_ name: String) throws -> Bool {
            try !reader.accounts.isTaken(name, for: userID, heldNames: heldNames, now: now)
        }
        if let base = name.flatMap(transliterated) {
            if try isFree(base) { return base }
            for number in numbers {
                let name = numbered(base, "\(number)")
                if try isFree(name) { return name }
            }
            for _ in 0..<tries {
                let name = numbered(base, "\(UInt32.random(in: 100_000...(.max)))")
                if try isFree(name) { return name }
            }
        }
        for _ in 0..<tries {
            let name = random()
            if try isFree(name) { return name }
        }
        throw NamesExhausted()
    }

    /// The name and a number, cut to the longest length.
    private static func numbered(_ base: String, _ number: String) -> String {
        "\(trimmed(String(base.prefix(lengths.upperBound - number.utf8.count - 1))))_\(number)"
    }
}

/// A hundred random usernames were taken, one after the other.
struct NamesExhausted: Error {}

extension Substring {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
