/// The column headings that programs write, in lower case and without anything but letters and digits: one entry for
/// each fact. To support another program's files, add its headings here and its name to docs/imports.md.
enum CSVHeads {
    /// The headings in English, and names of fields. They come from Exportify (both programs of this name),
    /// TuneMyMusic, Soundiiz, Deezer's history, Google Takeout (YouTube Music), Shazam, iTunes' lists as text, Spotify's history as it is
    /// often converted to tables, lastfmstats.com, mainstream.ghan.nl, benjaminbenben.com (Last.fm), Pano Scrobbler,
    /// and Backline's listens.
    private static let general: [(fact: CSVFact, heads: [String])] = [
        (.title, ["trackname", "name", "song", "songname", "songtitle", "tracktitle", "mastermetadatatrackname"]),
        (.artist, ["artistname", "artistnames", "artists", "trackartist", "mastermetadataalbumartistname"]),
        (.album, ["albumname", "albumtitle", "release", "releasename", "mastermetadataalbumalbumname"]),
        (.albumArtist, ["albumartistname", "albumartistnames", "albumartists"]),
        (.genres, ["genre", "artistgenres"]),
        (.duration, ["duration", "trackdurationms", "trackduration", "length", "time", "totaltime"]),
        (.explicit, ["isexplicit"]),
        (.disc, ["discnumber"]),
        (.track, ["tracknumber"]),
        (.released, ["releasedate", "albumreleasedate", "year"]),
        (.added, ["addedat", "dateadded", "addeddate", "savedat", "addedon"]),
        (.plays, ["playcount"]),
        (.lastPlayed, ["lastplayedat", "playdate", "playdateutc"]),
        (.rating, ["myrating"]),
        (.artwork, ["albumimageurl", "artworkurl"]),
        (
            .uri,
            [
                "spotifyuri", "trackuri", "spotifytrackuri", "spotifytrackid", "spotifyid", "trackid", "url",
                "spotifyurl", "trackurl",
            ]
        ),
        (.appleID, ["appleid", "applemusicid"]),
        (
            .playlist,
            [
                "playlistname", "playlisttitle", "playlists", "wiedergabeliste", "listedelecture",
                "listadereproducción",
                "listadereprodução", "nomdelaplaylist", "nombredelaplaylist", "nomedaplaylist", "nomeplaylist",
                "afspeellijst",
                "spellista", "çalmalistesi", "плейлист", "プレイリスト", "プレイリスト名", "播放列表", "歌单", "播放清單", "歌單",
                "재생목록", "플레이리스트",
            ]
        ),
        (.kind, ["kind", "event", "typ", "tipo", "soort", "тип", "種類", "タイプ", "类型", "類型", "유형"]),
        (.addedBy, ["addedby"]),
        (.tagged, ["tagtime"]),
        (
            .listened,
            [
                "uts", "utctime", "listenedat", "playedat", "scrobbledat", "scrobbletime", "scrobbledate",
                "datescrobbled",
                "streamedat", "timems", "timehuman", "dateplayed", "datelistened", "listeneddate", "playeddate",
                "playedon",
                "listentime", "playtimestamp", "ts", "endtime", "eventendtimestamp",
            ]
        ),
        (.played, ["playedms", "msplayed", "playdurationmilliseconds", "streamdurationms", "listenedms"]),
        (.playedSeconds, ["listeningtime", "playedseconds", "secondsplayed"]),
        (.recordingMBID, ["recordingmbid", "trackmbid", "musicbrainzrecordingid", "recordingid", "mbid"]),
        (.client, ["client", "mediaplayername"]),
        (.precision, ["precision"]),
        (.otherMoment, ["datemodified", "lastskipped", "modificationdate", "lastmodified"]),
    ]

    /// The facts of the columns that Exportify writes, in the order of ``exportify``.
    private static let exportifyFacts: [CSVFact] = [
        .uri, .title, .artist, .album, .albumArtist, .released, .artwork, .disc, .track, .duration, .explicit, .addedBy,
        .added, .genres,
    ]

    /// Exportify's headings in its other languages
    /// (github.com/watsonbox/exportify, src/i18n/locales/*/translation.json).
    private static let exportify = [
        // Arabic
        "رابط الأغنية (URI)|اسم الأغنية|أسماء الفنانين|اسم الألبوم|أسماء فناني الألبوم|تاريخ إصدار الألبوم|رابط صورة الألبوم"
            + "|رقم القرص|رقم الأغنية|مدة الأغنية (بالمللي ثانية)|صريح|أضيف بواسطة|أضيف في|أنواع الفنان",
        // German
        "Track-URI|Track-Name|Künstlername(n)|Album-Name|Album-Künstlername(n)|Veröffentlichungsdatum des Albums"
            + "|Album-Bild-URL|Disc-Nummer|Track-Nummer|Track-Dauer (ms)|Explizit|Hinzugefügt von|Hinzugefügt am|Künstler-Genres",
        // Greek
        "URI κομματιού|Όνομα κομματιού|Όνομα/τα καλλιτέχνη|Όνομα άλμπουμ|Όνομα/τα καλλιτέχνη άλμπουμ"
            + "|Ημερομηνία κυκλοφορίας άλμπουμ|URL εικόνας άλμπουμ|Αριθμός δίσκου|Αριθμός κομματιού|Διάρκεια κομματιού (ms)"
            + "|Ακατάλληλο|Προστέθηκε από|Προστέθηκε στις|Είδη καλλιτέχνη",
        // Spanish
        "URI de la canción|Nombre de la canción|Nombre(s) del artista|Nombre del álbum|Nombre(s) del artista del álbum"
            + "|Fecha de lanzamiento del álbum|URL de la imagen del álbum|Número de disco|Número de la canción"
            + "|Duración de la canción (ms)|Explícito|Añadido por|Añadido en|Géneros del artista",
        // French
        "URI du titre|Nom du titre|Nom(s) de l'artiste|Nom de l'album|Nom(s) de l'artiste de l'album|Date de sortie de l'album"
            + "|URL de l'image de l'album|Numéro de disque|Numéro du titre|Durée du titre (ms)|Explicite|Ajouté par|Ajouté le"
            + "|Genres de l'artiste",
        // Italian
        "URI della traccia|Nome della traccia|Nome dell'artista|Nome dell'album|Nome dell'artista dell'album"
            + "|Data di rilascio dell'album|URL dell'immagine dell'album|Numero del disco|Numero della traccia"
            + "|Durata della traccia (ms)|Esplicito|Aggiunto da|Aggiunto il|Generi dell'artista",
        // Japanese
        "トラックURI|トラック名|アーティスト名|アルバム名|アルバムアーティスト名|アルバム発売日|アルバム画像URL|ディスク番号|トラック番号|トラックの長さ（ミリ秒）|明示的な内容|追加者|追加日時|アーティストジャンル",
        // Dutch
        "Nummer URI|Nummernaam|Naam van artiest|Naam van album|Naam van artiest op het album|Releasedatum van het album"
            + "|Album afbeelding-URL|Schijfnummer|Nummernummer|Nummerduur (ms)|Expliciet|Toegevoegd door|Toegevoegd op"
            + "|Genres van de artiest",
        // Portuguese
        "URI da faixa|Nome da faixa|Nome(s) do artista|Nome do álbum|Nome(s) do artista do álbum|Data de lançamento do álbum"
            + "|URL da imagem do álbum|Número do disco|Número da faixa|Duração da faixa (ms)|Explícita|Adicionado por"
            + "|Adicionado em|Gêneros do artista",
        // Swedish
        "Låtens URI|Låtens namn|Artistens namn|Albumets namn|Albumartistens namn|Albumets releasedatum|Albumets bild-URL"
            + "|Skivnummer|Låtnummer|Låtlängd (ms)|Explicit|Tillagd av|Tillagd vid|Artistens genrer",
        // Turkish
        "Parça URI|Parça Adı|Sanatçı Adı|Albüm Adı|Albümdeki Sanatçı Adı|Albüm Çıkış Tarihi|Albüm Resim URL'si|Disk Numarası"
            + "|Parça Numarası|Parça Süresi (ms)|Açık İçerik|Ekleyen|Eklenme Tarihi|Sanatçı Türleri",
        // Cantonese
        "歌 Link|歌名|Artist 名|專輯名|專輯 Artist 名|專輯發行日|專輯封面條 Link|碟片冧把|曲目冧把|曲目時長（毫秒）|家長指引|加入者|加入時間|藝人曲風",
        // Simplified Chinese
        "曲目 URI|曲目名称|艺人名称|专辑名称|专辑艺人名称|专辑发行日期|专辑封面 URL|光盘编号|曲目编号|曲目时长（毫秒）|含露骨内容|添加者|添加时间|艺人流派",
        // Traditional Chinese
        "曲目 URI|曲目名稱|藝人名稱|專輯名稱|專輯藝人名稱|專輯發行日期|專輯封面 URL|光碟編號|曲目編號|曲目長度（毫秒）|含露骨內容|新增者|新增時間|藝人曲風",
    ].map { $0.split(separator: "|").map(String.init) }

    /// Headings in other languages, as people and programs write them: titles, artists, albums. Apple's app has them
    /// above its list of songs, in the language of the computer, and Google Takeout in that of the account.
    private static let words: [(fact: CSVFact, heads: [String])] = [
        (
            .title,
            [
                "nom", "nombre", "nome", "naam", "namn", "navn", "nimi", "nazwa", "назва", "nume", "titlu", "naslov",
                "judul", "nama", "lagu", "tajuk", "isim", "faixa", "nomefaixa", "名前", "曲", "이름", "tênbàihát", "bàihát",
                "العنوان", "שםהשיר", "ชื่อเพลง", "títulodelacanción", "titredumorceau", "titolodelbrano",
                "títulodamúsica",
                "titel", "titre", "título", "titolo", "tytuł", "název", "название", "曲名", "タイトル", "标题", "標題", "제목",
                "songtitel", "titeldessongs", "morceau", "chanson", "canción", "canzone", "brano", "música", "utwór",
                "skladba",
                "şarkı", "песня", "трек", "τραγούδι", "låt", "sang", "kappale", "cím", "歌曲", "歌名", "歌曲名", "곡명", "노래",
            ]
        ),
        (
            .artist,
            [
                "umetnik", "izvođač", "penyanyi", "artis", "nghệsĩ", "casĩ", "الفنان", "אמן", "ศิลปิน",
                "künstler", "interpret", "artiste", "artista", "artiest", "wykonawca", "исполнитель", "アーティスト", "艺人",
                "藝人", "歌手", "아티스트", "künstlerin", "künstlername", "nomdelartiste", "nombredelartista", "nomedoartista",
                "artiestennaam", "interpreten", "interprète", "intérprete", "interprete", "artistes",
                "artistas", "artisti", "artiesten", "uitvoerder", "sanatçı", "исполнители", "артист", "виконавець",
                "umělec",
                "καλλιτέχνης", "kunstner", "esittäjä", "előadó", "歌手名", "艺术家", "藝術家", "가수",
            ]
        ),
        (
            .album,
            [
                "álbum", "альбом", "アルバム", "专辑", "專輯", "앨범", "albumtitel", "albüm", "άλμπουμ", "albumi", "الألبوم",
                "אלבום", "อัลบั้ม",
            ]
        ),
    ]

    /// The fact for each heading. If a heading has two facts, the first one counts.
    static let all: [String: CSVFact] = {
        let own = CSVFact.ofEntries.map { ($0, [$0.rawValue]) }
        let translated = exportify.flatMap { heads in zip(exportifyFacts, heads).map { ($0, [$1]) } }
        let lists = own + general.map { ($0.fact, $0.heads) } + translated + words.map { ($0.fact, $0.heads) }
        let pairs = lists.flatMap { fact, heads in heads.map { (CSVFact.normalized($0), fact) } }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }()

    /// Whether a heading is that of a duration in milliseconds.
    static func isInMilliseconds(_ head: String) -> Bool {
        let head = CSVFact.normalized(head)
        return head.hasSuffix("ms") || milliseconds.contains(head)
    }

    private static let milliseconds: Set<String> = {
        let column = exportifyFacts.firstIndex(of: .duration)
        return Set(exportify.compactMap { heads in column.map { CSVFact.normalized(heads[$0]) } })
    }()
}
