/// What the heading of a column with times says that they are, according to its words. To support another language, add
/// its words to the tables here. Whether a column has times at all is for its rows to say.
enum CSVMomentWords {
    case played
    /// When the song was last played. Such a column belongs to a library.
    case lastPlayed
    /// When the song was saved, liked, bought or added to a list.
    case added
    /// Times such as those of a file or a release.
    case other
    /// A heading such as “Date”, which says only that these are times.
    case general

    /// - Returns: `nil` for a heading that does not say what its times are.
    init?(head: String) {
        let name = Self.ignored.reduce(CSVFact.normalized(head)) { $0.replacing($1, with: "") }
        func has(_ words: [String]) -> Bool { words.contains { name.contains($0) } }
        switch has(Self.plays) {
        // “Added to the list of played songs” is not the time of a play.
        case _ where has(Self.additions): self = .added
        case true where has(Self.latest): self = .lastPlayed
        case true where has(Self.first): self = .other
        case true: self = .played
        case false where has(Self.others): self = .other
        case false:
            let words = head.prefix(100).lowercased().split { !$0.isLetter }.map(String.init)
            guard words.contains(where: Self.generalWords.contains),
                words.allSatisfy({ Self.generalWords.contains($0) || Self.qualifiers.contains($0) })
            else { return nil }
            self = .general
        }
    }

    /// Names that contain the words below with another meaning.
    private static let ignored = [
        "lastfm", "playlist", "display", "wiedergabeliste", "listedelecture", "listadereproducción",
        "listadereprodução", "播放列表", "播放清單", "再生リスト", "재생목록",
    ]

    /// Parts of words, without inflections, in lower case and without anything but letters.
    private static let additions = words(
        """
        added adddate dateadd saved liked loved favorit favourit starred created creation purchas bought download synced
        synchron imported librar collect acquired insert bookmark
        hinzu gespeichert gemerkt favorisiert erstellt gekauft heruntergeladen gefällt importiert
        ajout enregistr aimé favori créé création achet achat télécharg importé
        añad adición adicion agreg guardad gusta creado creación comprad descarg importad
        aggiun salvat preferit creat acquist scaricat piace importat
        adição salv curtid criad criação baixad
        toegevoegd opgeslagen favoriet gemaakt aangemaakt gekocht geïmporteerd
        tillag sparad gillad skapad köpt nedladd
        tilføj lagttil gemt lagret oprettet opprettet købt kjøpt nedlast
        lisätty lisäys tallenn suosik luotu ostettu ladattu
        dodan zapisan polubi ulubion utworz kupion pobran
        přidán uložen oblíben vytvoř koupen stažen
        hozzáad mentve mentés kedvenc létrehoz vásárol letölt
        eklen kaydedil beğen oluştur satınal indir
        προστέθ προσθήκ αποθηκ αγαπημ δημιουργ αγορ
        добав сохран понрав избран создан куплен покупк скачан загруж
        додан додав збереж вподоб створен придбан завантаж
        追加 登録 保存 お気に入り いいね 作成 購入 ダウンロード
        添加 加入 新增 收藏 喜欢 喜歡 儲存 创建 建立 購買 购买 下载 下載
        추가 저장 좋아 생성 구매 다운로드
        أضيف إضافة الإضافة حفظ إعجاب مفضل
        """)

    private static let plays = words(
        """
        play listen scrobbl streamed heard
        gespielt gehört wiedergabe wiedergegeben gestreamt
        écout joué lecture
        escuch reproduc reproduz tocad oído ouvid escut
        ascolt riprodo riprodu suonat
        afgespeeld geluisterd beluister gespeeld
        spelad lyssna afspil avspil spillet lyttet
        kuunnel kuuntel soitett toistett
        odtworz odtwarz odsłuch słuchan
        přehrá poslech
        lejátsz hallgat
        dinlen dinleme çalın çalma
        αναπαραγωγ ακούστ ακρόασ
        прослуш воспроизв слушал проигр прослух відтвор
        再生 聴取 聴いた リスニング
        播放 收听 收聽 聆听 聆聽
        재생 청취
        استماع تشغيل
        """)

    private static let latest = words(
        """
        last latest zuletzt letzte letztes derni últim ultim laatst senast senest sist viimeksi ostatni naposled
        poslední utolsó legutóbb sonçal sondinle τελευτ последн останн 最終 最後 最后 前回 上次 마지막
        """)

    private static let first = words("first erstmals première primera prima primeira eerst första første 初回 首次 처음")

    private static let others = words(
        """
        modifi updated changed skipped released release änder aktualisiert geändert erschein veröffentlich modific
        actualiz aggiornat atualiz sortie parution lanzamiento lançamento uscita gewijzigd ändrad ændret endret zmian
        изменен обновл выпуск 変更 更新 発売 修改 发行 發行 수정 발매
        """)

    /// Whole words, with inflections.
    private static let generalWords = Set(
        words(
            """
            date dates time datetime timestamp timestamps when moment day start started startedat starttime unix
            unixtime epoch watchedat datestr dateutc timeutc utc gmt
            datum zeit uhrzeit datumuhrzeit zeitpunkt zeitstempel wann
            heure horodatage quand jour
            fecha hora cuándo cuando día
            data ora orario quando giorno dia
            tijd tijdstip tijdstempel wanneer dag
            tid tidpunkt tidspunkt tidsstempel dato når när
            päivämäärä aika aikaleima milloin
            czas godzina kiedy dzień
            čas kdy
            dátum idő időpont időbélyeg mikor
            tarih saat zaman
            ημερομηνία ώρα πότε
            дата время когда день час коли
            日付 日時 時刻 時間 いつ
            日期 时间 时间戳 時間戳 日期时间 日期時間
            날짜 시간 일시 시각
            التاريخ تاريخ الوقت وقت
            """))

    /// Words that may accompany those above.
    private static let qualifiers = Set(
        words("and of at in local iso ms s seconds milliseconds und et y e en og och ja i a és ve και и та"))

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
