import Model

/// The words of ``OnlyArtists`` in languages with spaces between words, folded (``FoldedText``). To add a language, add
/// its words to these lists.
enum OnlyWords {
    /// Words that mean "only".
    static let only: Set<String> = [
        "only", "just", "exclusively", "solely", "purely", "strictly", "entirely",
        "nur", "ausschliesslich", "bloss", "lediglich", "seulement", "uniquement", "exclusivement", "juste",
        "solo", "solamente", "unicamente", "exclusivamente", "puro", "soltanto", "esclusivamente", "apenas", "somente",
        "nomes", "alleen", "uitsluitend", "enkel", "tylko", "wylacznie", "jen", "jenom", "pouze", "vyhradne", "len",
        "iba", "samo", "iskljucivo", "только", "исключительно", "тільки", "лише", "виключно",
        "sadece", "yalnizca", "bara", "endast", "enbart", "kun", "udelukkende", "bare", "utelukkende", "vain",
        "ainoastaan", "pelkastaan", "csak", "kizarolag", "doar", "numai", "μονο", "αποκλειστικα", "hanya", "cuma",
        "allein", "einzig", "slechts", "jedynie", "yalniz", "лишь", "лиш", "само", "tik", "tikai", "ainult",
        "فقط", "רק", "केवल", "सिर्फ़", "सिर्फ", "बस", "मात्र", "ही", "keval", "kewal", "sirf",
    ]
    /// Words for songs and wishes, which give Portuguese `só` away where its accent is missing: `so musicas de`.
    static let afterSo: Set<String> = [
        "musicas", "cancoes", "faixas", "quero", "queria", "queremos", "toca", "toque", "coloca", "coloque",
    ]
    static let portugueseArticles: Set<String> = ["a", "o", "as", "os"]
    /// Words that mean "only" after one of ``nothing``: `nothing but`, `no artist other than`.
    static let except: Set<String> = [
        "but", "except", "excepting", "besides", "than", "als", "ausser", "que", "sauf", "hormis", "salvo", "excepto",
        "exceto", "alem", "senao", "tranne", "fuorche", "che", "behalve", "dan", "krome", "oprocz", "poza", "кроме",
    ]
    static let nothing: Set<String> = [
        "no", "nothing", "nobody", "noone", "none", "not", "dont", "never", "nichts", "niemand", "niemanden", "kein",
        "keine", "keinen", "rien", "personne", "aucun", "aucune", "ne", "nada", "nadie", "ningun", "ninguna",
        "niente", "nessun", "nessuno", "nessuna", "non", "nao", "ninguem", "nenhum", "nenhuma", "niets", "geen", "nic",
        "nientaltro", "nikt", "nikogo", "nikdo", "nikoho", "zadne", "ничего", "никого", "никаких",
    ]
    /// Words that may be between one of ``nothing`` and one of ``except``, in addition to ``songs``.
    static let betweenNothing: Set<String> = [
        "one", "body", "else", "other", "any", "anything", "anyone", "anybody", "artists", "bands", "by", "from",
        "include", "add", "put", "use", "want", "hear", "listen", "to", "me", "anderes", "anderer", "anderen", "andere",
        "kunstler", "von", "autre", "autres", "dautre", "dautres", "veux", "voudrais", "mets", "ecouter", "artiste",
        "quiero", "pongas", "mas", "otro", "otra", "otros", "otras", "artista", "artistas", "altro", "altri", "voglio",
        "mais", "outro", "outros", "anders", "jineho", "innego", "другого", "кого", "de", "di",
    ]
    /// Words that cancel a word for "only" by preceding it: `not only`, `I just heard`.
    static let taking: Set<String> = [
        "not", "nicht", "no", "non", "pas", "niet", "nie", "ne", "nao", "не", "i", "we", "ive", "weve", "have", "habe",
        "hab", "haben", "dont", "never", "inte", "ikke", "ei", "nem", "degil", "bukan", "न", "ना", "मैंने", "हमने",
    ]
    /// Words that cancel a word for "only" by following the name after it: Hindi `सिर्फ़ X ही नहीं`.
    static let takingAfterNames: Set<String> = ["नहीं", "नही", "nahi", "nahin"]
    /// Particles of Hindi after a name: `X के गाने` means the songs of X.
    static let postpositions: Set<String> = ["के", "का", "की", "को", "ke", "ka", "ki", "ko"]
    /// Words that make a wish of "I only" nevertheless: `I only want to hear`.
    static let wishing: Set<String> = ["want", "wanna", "need"]
    /// Words that make `like` a wish: `I would like`.
    static let wouldLike: Set<String> = ["would", "id", "wed"]
    /// Words between a wish and a name.
    static let hearing: Set<String> = [
        "want", "wanna", "need", "to", "hear", "listen", "include", "use", "give", "me", "put", "add", "pick", "choose",
        "take", "it", "this", "like", "hore", "hor", "spiel", "spiele", "nimm", "mets", "joue", "ecouter", "quiero",
        "pon", "escuchar", "oir", "voglio", "metti", "ascoltare", "quero", "queria", "queremos", "ouvir", "escutar",
        "tocar", "toca", "toque", "coloca", "coloque", "o", "os", "as",
    ]
    /// Phrases after names that exclude everybody else: `Zoë Käfer and nobody else`.
    static let nobodyElse: [[String]] = [
        ["nobody", "else"], ["noone", "else"], ["no", "one", "else"], ["nothing", "else"], ["no", "other", "artist"],
        ["no", "other", "artists"], ["no", "others"], ["alone"], ["niemand", "anderes"], ["niemand", "anders"],
        ["niemand", "sonst"], ["sonst", "niemand"], ["nichts", "anderes"], ["sonst", "nichts"], ["sonst", "keiner"],
        ["allein"], ["alleine"], ["personne", "dautre"], ["rien", "dautre"], ["nadie", "mas"], ["nada", "mas"],
        ["nessun", "altro"], ["nientaltro"], ["nient", "altro"], ["niente", "altro"], ["ninguem", "mais"],
        ["nada", "mais"], ["mais", "ninguem"], ["mais", "nada"], ["niets", "anders"], ["nikt", "inny"],
        ["nikogo", "innego"], ["nic", "innego"],
        ["nikdo", "jiny"], ["nikoho", "jineho"], ["nic", "jineho"], ["никто", "другой"], ["никого", "другого"],
        ["ничего", "другого"], ["больше", "никого"], ["और", "कोई", "नहीं"], ["कोई", "और", "नहीं"],
        ["किसी", "और", "के", "नहीं"], ["किसी", "और", "का", "नहीं"], ["के", "अलावा", "कुछ", "नहीं"],
        ["के", "अलावा", "कोई", "नहीं"], ["के", "अलावा", "और", "कोई", "नहीं"], ["के", "सिवा", "कुछ", "नहीं"],
        ["के", "सिवा", "कोई", "नहीं"],
    ]
    /// Words that mean every song: `every track by`.
    static let every: Set<String> = [
        "all", "every", "each", "everything", "alle", "alles", "jedes", "jeder", "samtliche", "tous", "toutes", "tout",
        "chaque", "todas", "todos", "todo", "tudo", "cada", "tutte", "tutti", "tutto", "ogni", "elk", "elke",
        "wszystkie",
        "wszystko", "kazda", "kazdy", "vsechny", "vsechno", "все", "каждая",
    ]
    /// Words that may be between one of ``every`` and `by`, in addition to ``songs``.
    static let betweenAll: Set<String> = [
        "single", "should", "must", "shall", "need", "needs", "have", "has", "to", "be", "is", "are", "in", "on",
        "this", "that", "my", "these", "it", "them", "last", "best", "favorite", "favourite", "soll", "sollen", "muss",
        "mussen",
        "sein", "ist", "sind", "dieser", "doit", "doivent", "etre", "sont", "deben", "debe", "ser", "sean", "son",
        "devono", "deve", "essere", "devem", "moet", "moeten", "zijn", "kommt", "kommen", "les", "las", "los", "le",
        "i", "as", "os", "precisam", "tem", "sejam",
    ]
    /// Words before one of ``every`` because of which it does not limit the list: `I know every song by`.
    static let having: Set<String> = [
        "love", "loved", "know", "knew", "heard", "hate", "enjoy", "own", "have", "had", "got", "no", "not", "dont",
        "never", "without", "except", "skip", "avoid", "exclude", "excluding", "remove", "after", "before", "beyond",
        "kenne", "liebe", "habe", "mag", "ohne", "ausser", "nicht", "keine", "sans", "sauf", "pas", "connais", "aime",
        "sin", "excepto", "conozco", "senza", "tranne", "conosco", "sem", "exceto", "conheco", "amo", "adoro", "bez",
        "без", "кроме", "не",
    ]
    /// Words after a name that add other songs to the list.
    static let goingOn: Set<String> = [
        "and", "plus", "with", "then", "but", "or", "also", "along", "as", "mixed", "und", "mit", "oder", "sowie", "et",
        "avec", "ou", "puis", "y", "con", "o", "e", "com", "mais", "en", "met", "i", "oraz", "z", "a", "s", "и", "с",
    ]
    /// Words that include other artists, too.
    static let widening: Set<String> = [
        "like", "similar", "alike", "inspired", "influenced", "others", "style", "styled", "vibe", "vibes", "sounding",
        "esque", "wie", "ahnliche", "ahnlich", "stil", "comme", "similaire", "similaires", "como", "similares",
        "parecidos", "estilo", "come", "simili", "stile", "zoals", "vergelijkbare", "jak", "podobne", "jako",
        "podobni", "stylu", "parecidas", "parecida", "parecido", "semelhantes", "semelhante", "tipo", "вроде",
        "похожие",
        "стиле", "जैसे", "जैसा", "जैसी", "तरह", "मिलते", "स्टाइल", "अंदाज़", "jaise", "jaisa", "jaisi", "tarah",
    ]
    static let by: Set<String> = [
        "by", "from", "of", "von", "vom", "de", "di", "du", "des", "par", "por", "van", "door", "od", "przez", "от",
        "del", "della", "dei", "da", "do", "dos", "pelo", "pela", "pelos", "pelas", "cua", "av", "af", "fra", "fran",
    ]
    /// The words among ``by`` after which a capitalized word can only be a name. After the others it may be a place or a
    /// season (`canciones de España`), and in German any noun.
    static let byArtist: Set<String> = ["by", "par", "por", "door", "przez", "av", "af", "od", "от"]
    /// Words with which a prompt goes on after a name. After other words a capitalized word is no name: `songs by Swedish
    /// women`.
    static let afterNames: Set<String> = [
        "for", "to", "in", "on", "at", "from", "with", "without", "please", "that", "which", "and", "or", "but", "no",
        "not", "nobody", "noone", "nothing", "alone", "when", "while", "pour", "sans", "para", "sin", "sem", "bez",
    ]
    /// The words among ``only`` that often mean something else: `just relax`.
    static let casual: Set<String> = [
        "just", "juste", "bara", "bare", "len", "iba", "cuma", "so", "allein", "einzig", "बस", "ही",
    ]
    /// Words that mean "to limit" before ``to``: `limit it to Zoë Käfer`.
    private static let limiting: Set<String> = [
        "limit", "limited", "limiting", "stick", "sticking", "restrict", "restricted", "confine", "confined",
    ]
    private static let betweenLimiting: Set<String> = ["it", "this", "that", "yourself", "everything", "them"]
    /// Words before `que des` and `que du` with which these mean "only" in French: `mets que du X`.
    private static let beforeQue: Set<String> = [
        "veux", "veut", "voudrais", "mets", "met", "mettez", "joue", "ecouter", "ecoute", "passe", "ajoute", "moi",
        "playlist",
    ]
    /// Words for numbers of songs, which do not limit the whole list: `only one song by`, `nur ein paar Lieder von`.
    static let counts: Set<String> = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "few", "couple", "some",
        "several",
        "half", "most", "ein", "eins", "zwei", "drei", "vier", "funf", "paar", "einige", "wenige", "une", "un", "deux",
        "trois", "quatre", "quelques", "uno", "una", "dos", "tres", "cuatro", "pocas", "pocos", "algunas", "algunos",
        "par", "due", "tre", "quattro", "alcune", "alcuni", "poche", "um", "uma", "duas", "dois", "algumas", "alguns",
        "poucas", "een", "twee", "drie", "enkele", "jeden", "dwa", "trzy", "kilka", "dva", "tri", "nekolik",
        "один", "одну", "две", "три", "несколько", "пару",
    ]
    /// Words for versions, which are also names of artists: `only live songs`.
    static let versions: Set<String> = [
        "live", "acoustic", "instrumental", "instrumentals", "cover", "covers", "remix", "remixes", "demo", "demos",
        "karaoke", "studio", "unplugged", "explicit", "clean",
    ]
    /// The words among ``songs`` that may be between `by` and a name.
    static let beforeNames: Set<String> = ["the", "a", "artist", "band"]
    /// Words for kinds of songs, which may be between "only" and a name, or around a name.
    static let songs: Set<String> = [
        "song", "songs", "track", "tracks", "music", "tunes", "stuff", "the", "a", "some", "play", "please", "artist",
        "band", "playlist", "list", "mix", "titles", "lieder", "lied", "musik", "stucke", "stuck", "titel", "bitte",
        "etwas", "was", "die", "das", "chanson", "chansons", "morceau", "morceaux", "musique", "titres", "cancion",
        "canciones", "temas", "tema", "musica", "musicas", "brani", "brano", "canzoni", "canzone", "nummers", "nummer",
        "liedjes", "muziek", "utwory", "piosenki", "muzyka", "muzyke", "pisnicky", "pisnicek", "skladby", "skladeb",
        "hudba", "hudbu", "песни", "музыка", "музыку", "sarki", "sarkilar", "latar", "musikk", "sange", "lagu",
        "cancao", "cancoes", "faixa", "faixas", "गाना", "गाने", "गानों", "गीत", "गीतों", "संगीत", "म्यूज़िक", "म्यूजिक", "ट्रैक",
        "группы", "группа", "исполнителя", "певицы", "певца", "артиста", "प्लेलिस्ट", "मुझे", "हमें", "चाहिए", "चलाओ", "बजाओ", "सुनाओ",
        "सुनना", "सुनने", "है", "हैं", "हों", "कृपया", "gaana", "gaane",
        "gana", "gane", "geet",
    ]
    static let joining: Set<String> = [
        "and", "or", "und", "oder", "et", "ou", "y", "e", "o", "en", "of", "i", "a", "и", "och", "og", "ve", "ja", "और",
        "तथा", "एवं", "व", "या", "aur",
    ]
    /// How many words may be between "only" and the `by` before a name: `only the best live songs by`.
    static let mostBetween = 6

    /// Abbreviations within names, whose period does not end a clause: `St. Vincent`.
    private static let abbreviations: Set<String> = ["st", "dr", "mr", "mrs", "ms", "jr", "sr"]

    /// Whether a period after a word in lower case belongs to it, as in `St. Vincent` and `J. Cole`.
    static func isAbbreviation(_ word: String) -> Bool { word.count == 1 || abbreviations.contains(word) }

    /// The clauses of a prompt. A mark within a word does not end one: `P!nk`.
    static func clauses(of prompt: String) -> [Substring] {
        var (clauses, start) = ([Substring](), prompt.startIndex)
        for index in prompt.indices where ".;!?\n。！？।".contains(prompt[index]) {
            let next = prompt.index(after: index)
            let isWithin = prompt[index].isASCII && next < prompt.endIndex && !prompt[next].isWhitespace
            let word = prompt[start..<index].split(whereSeparator: \.isWhitespace).last.map { $0.lowercased() } ?? ""
            let isShort = prompt[index] == "." && isAbbreviation(word)
            guard prompt[index] == "\n" || !isWithin && !(isShort && next < prompt.endIndex) else { continue }
            // The mark stays, since it may be part of a name.
            clauses.append(prompt[start..<next])
            start = next
        }
        clauses.append(prompt[start...])
        return clauses.filter { !$0.allSatisfy(\.isWhitespace) }
    }

    /// The folded words of a clause. Folding makes Portuguese `só` equal to English `so`, so another Portuguese word of
    /// the same meaning stands for it.
    static func words(of clause: Substring) -> [String] {
        let words = clause.split(whereSeparator: \.isWhitespace).flatMap { part -> [String] in
            let words = FoldedText.words(of: String(part))
            let hasAccent = part.contains { $0 == "ó" || $0 == "Ó" }
            if words == ["so"], hasAccent { return ["somente"] }
            // Vietnamese "only", which folding makes equal to Italian "who".
            if words == ["chi"], part.lowercased() != "chi" { return ["exclusively"] }
            return words == ["100"] && part.contains("%") ? ["exclusively"] : words
        }
        return joined(words)
    }

    /// The words with "only" in place of phrases that mean it: `limit it to`, `stick to`, `mets que du`.
    private static func joined(_ words: [String]) -> [String] {
        var joined: [String] = []
        var position = 0
        while position < words.count {
            let word = words[position]
            let next = words.indices.contains(position + 1) ? words[position + 1] : ""
            if limiting.contains(word),
                let to = words[(position + 1)...].prefix(4).firstIndex(of: "to"),
                words[(position + 1)..<to].allSatisfy({ betweenLimiting.contains($0) || songs.contains($0) })
            {
                joined.append("exclusively")
                position = to + 1
            } else if word == "que", next == "des" || next == "du", joined.last.map(beforeQue.contains) ?? true {
                joined.append("uniquement")
                position += 1
            } else {
                joined.append(word)
                position += 1
            }
        }
        return joined
    }
}
