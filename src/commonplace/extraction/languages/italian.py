# ruff: noqa: E501 - a pattern reads better on one line
"""Italian."""

from commonplace.extraction.languages.italian_everyday import BEFORE_NAME, EVERYDAY, FIRST, MENTIONS
from commonplace.extraction.languages.tables import Language, rows

_ROLES = {
    "cfo": "cfo", "ceo": "ceo", "cto": "cto", "direttore finanziario": "cfo", "direttrice finanziaria": "cfo",
    "amministratore delegato": "ceo", "amministratrice delegata": "ceo", "capo": "boss", "responsabile": "boss", "superiore": "boss",
    "moglie": "wife", "marito": "husband", "compagna": "partner", "compagno": "partner", "fidanzata": "girlfriend",
    "fidanzato": "boyfriend", "ragazza": "girlfriend", "ragazzo": "boyfriend", "madre": "mother", "mamma": "mother",
    "padre": "father", "papà": "father", "sorella": "sister", "sorelle": "sister", "fratello": "brother", "fratelli": "brother",
    "figlio": "son", "figli": "child", "figlia": "daughter", "figlie": "daughter", "nonna": "grandmother", "nonno": "grandfather",
    "zia": "aunt", "zio": "uncle", "cugina": "cousin", "cugino": "cousin", "nipote": "nephew", "amico": "friend", "amica": "friend",
    "migliore amico": "friend", "migliore amica": "friend", "coinquilino": "flatmate", "coinquilina": "flatmate",
    "vicino": "neighbour", "vicina": "neighbour", "collega": "colleague", "commercialista": "accountant", "avvocato": "lawyer",
    "avvocata": "lawyer", "dottore": "doctor", "dottoressa": "doctor", "medico": "doctor", "dentista": "dentist",
    "padrone di casa": "landlord", "terapeuta": "therapist", "psicologa": "therapist", "psicologo": "therapist",
    "assistente": "assistant", "allenatore": "coach", "veterinario": "vet", "veterinaria": "vet", "parrucchiere": "hairdresser",
    "genitori": "parents", "capa": "boss", "suocera": "in-law", "suocero": "in-law", "cognato": "in-law", "cognata": "in-law", "ex": "ex", "ex marito": "ex",
    "ex moglie": "ex", "fisioterapista": "physiotherapist", "tata": "nanny", "bimba": "child", "bimbo": "child", "bambina": "child", "bambino": "child", "gemelli": "child",
    "insegnante": "teacher", "cliente": "customer", "notaio": "notary",
}  # fmt: skip

_DAY = r"(?:lunedì|lunedi|martedì|martedi|mercoledì|mercoledi|giovedì|giovedi|venerdì|venerdi|sabato|domenica)"
_OFTEN = (
    rf"(?P<when>(?:ogni|tutti i|tutte le) (?:giorn[oi]|mattin[ae]|ser[ae]|settiman[ae]|mes[ei]|ann[oi]|{_DAY}|fine settimana|weekend)"
    rf"(?: (?:mattina|pomeriggio|sera))?(?: alle (?:ore )?[\d:.]+)?|(?:una|due|tre|quattro|\d) volt[ae] (?:a|alla|al|ogni) (?:settimana|giorno|mese|anno)|(?:di|il|la) {_DAY} e (?:il |la )?{_DAY}|di {_DAY}|(?:il|la) {_DAY}(?: (?:mattina|pomeriggio|sera))?(?: alle [\d:.]+)?)"
)
_NOT = r"(?!(?:che|la tua|il tuo|le tue|i tuoi|quando|come|questo|questa|quello|quella|lo|la|quel)\b)"

_RULES = rows(
    ("retraction", "forget", "", "dimentica|scorda|cancella",
     r"(?:per favore |ti prego )*(?:dimentica|scorda|dimenticati|cancella)(?:ti)? (?:(?P<that>quello che ho detto|ciò che ho detto|questo|quello|tutto)(?: su (?P<about>[^.;!?]{2,60}))?(?=$|[.!,])|che (?P<clause>(?:vivo|abito|lavoro|mi|il|la|mia|mio|ho|sono)\b.{3,80}))"),
    ("retraction", "forget", "", "dimenticalo|lascia perdere|come non detto", r"(?P<that>dimenticalo|lascia perdere|come non detto)(?=$|[.!,])"),
    ("retraction", "nothing", "", "sbagliat|errore|non è vero", r"(?:scusa[, ]+)?(?:mi sono sbagliat[oa]|ho sbagliato|errore mio|non è vero)\b"),
    ("retraction", "lack", "", "non ho", r"(?:in realtà )?non ho (?:(?:più )?(?:una |un |un'|nessuna |nessun )?)(?P<kin>{KIN}){E}"),
    ("retraction", "ended", "lives_in", "non vivo|non abito|non vive|non abita|vivevo|abitavo",
     r"(?:(?P<me>(?:io )?non (?:vivo|abito))(?P<anymore> più)? a {PLACE}{E}|{S} non (?:vive|abita)(?P<anymore> più)? a {PLACE}{E}|(?P<me>(?:una volta |prima )?(?:vivevo|abitavo)) a {PLACE}{E})"),
    ("retraction", "ended", "works_at", "non lavor", r"(?:(?P<me>(?:io )?non lavoro)|{S} non lavora)(?P<anymore> più)? (?:per|in|da|alla|presso) {NAME}{E}"),
    ("retraction", "ended", "likes", "non mi piac", r"(?P<me>non mi) piace(?P<must> più) (?P<o>[\w' -]{2,40}?){E}"),
    ("retraction", "ended", "diet", "non sono più", r"(?P<me>non sono più) (?P<o>vegan[oa]|vegetarian[oa]){E}"),
    ("retraction", "ended_role", "", "non è più", r"(?P<name>{N}) non è più (?:il mio|la mia|mio|mia|il nostro|la nostra) {ROLE}{E}"),
    ("correction", "meant", "", "volevo dire|intendevo", r"(?:(?:no|scusa|anzi|aspetta)[,:;. ]+)*(?:volevo dire|intendevo) (?P<new>[^,.;!?]{1,60}?)(?:,? non (?P<old>[^,.;!?]{1,60}?))?\s*$"),
    ("correction", "instead", "", "passiamo da|siamo passati da|migriamo da", r"(?:passiamo|migriamo|siamo passati) da (?P<old>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?) a (?P<new>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?){E}"),
    ("correction", "instead", "", "usa|usiamo|usate", r"(?:(?:no|in realtà|anzi|per favore)[,:]? )*(?:usa|usiamo|usate) (?P<new>[\w`'./@:+ -]{1,50}?),? (?:non|e non|invece di|al posto di|anziché) (?P<old>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?){E}"),
    ("correction", "free", "Lesson: {o}", "lezione|ho imparato", r"(?:lezione imparata|ho imparato che),?:? (?P<o>.{8,140}?)\s*$"),
    ("name", "core", "name", "mi chiamo|il mio nome", r"(?:mi chiamo|il mio nome è) {NAME}{E}"),
    ("name", "core", "called", "chiamami", r"chiamami (?:pure )?{NAME}{E}"),
    ("name", "core", "born_on", "compleanno|nato il|nata il", r"(?:il mio compleanno è|sono nat[oa]) (?:il |l')(?P<o>\d{1,2}(?:°)? [a-z]+(?: \d{4})?){E}"),
    ("name", "core", "email", "email|mail", r"la mia e-?mail(?P<work> di lavoro)?(?: è|:) (?P<o>[\w.+-]+@[\w-]+(?:\.[\w-]+)+){E}"),
    ("name", "slot", "lives_in", "viv|abit|trasferi",
     r"(?:(?P<me>(?:io )?(?:ora |adesso )?(?:vivo|abito))(?: ora| adesso)? a {PLACE}{E}|{S} (?:ora |adesso )?(?:vive|abita)(?: ora)? a {PLACE}{E}|(?P<me>mi sono)(?: appena)? trasferit[oa] a {PLACE}{E}|{S} si è(?: appena)? trasferit[oa] a {PLACE}{E})"),
    ("name", "slot", "staying_in", "sono a", r"(?P<me>sono) a {PLACE}(?=,? fino a)"),
    ("name", "slot", "from", "vengo da|sono di|viene da|originari", r"(?:(?P<me>vengo|sono originari[oa])|{S} (?:viene|è originari[oa])) (?:da|di) {PLACE}{E}"),
    ("name", "have_kin", "", "ho ", r"(?:io )?ho (?P<count>una |un |un'|due |tre )(?P<kin>{KIN})(?: (?:più grande|maggiore|minore|più piccol[oa]))?(?:,? (?:che si chiama|di nome) (?P<kname>{N}))?(?: (?:che vive )?a {PLACE})?{E}"),
    ("name", "pet", "has_pet", "cane|gatto|gatta|coniglio", r"(?:ho|abbiamo(?: preso| adottato)?|ho (?:preso|adottato)) (?P<o>(?:un |una |due )(?:cane|gatt[oai]|cani|coniglio)(?: (?:che si chiama|di nome) {N})?){E}"),
    ("name", "kin_name", "", "si chiama", r"(?:il mio |la mia |mia |mio |i miei )?(?:nuov[oa] )?{ROLE} si chiama (?P<name>{N}){E}"),
    ("name", "project_role", "", " è ", r"(?P<name>{N}) è (?:il |la |l')?(?P<role>pm|project manager|product owner|responsabile|capo progetto|referente|sviluppatore|designer|sponsor|tech lead) (?:del|sul|di|per il|per) (?P<project>(?:progetto )?{N}){E}"),
    ("name", "role", "", " è ", r"(?:(?:il|la) )?(?:mio|mia|nostro|nostra) (?:nuov[oa] )?{ROLE} (?:ora |adesso )?è (?P<name>{N}){E}"),
    ("name", "role", "", " è ", r"(?P<name>{N}) è (?:(?:il|la) )?(?:mio|mia|nostro|nostra) (?:nuov[oa] )?{ROLE}{E}"),
    ("name", "slot", "reports_to", "riport", r"(?:(?P<me>riporto|rispondo)|{S} (?:riporta|risponde)) a (?P<o>{N}){E}"),
    ("name", "slot", "works_at", "lavor", r"(?:(?P<me>(?:io )?(?:ora |adesso )?lavoro)|{S} lavora)(?: ora| adesso)? (?:per|alla|in|da|presso|all'|alla) ?{NAME}{E}"),
    ("name", "slot", "works_on", "lavor", r"(?:(?P<me>(?:sto lavorando|lavoro))|{S} lavora) (?:a|al|sul) (?P<o>progetto (?-i:[A-Z])[\w-]*){E}"),
    ("name", "slot", "occupation", "faccio|sono un|lavoro come|fa ",
     r"(?:(?P<me>faccio|lavoro come|sono)|{S} (?:fa|lavora come|è)) (?P<o>(?:il |la |l'|un |una |un')?(?:ingegnere|sviluppat(?:ore|rice)|infermier[ea]|insegnante|medico|avvocat[oa]|architett[oa]|giornalista|fotograf[oa]|cuoc[oa]|programmat(?:ore|rice)|designer|student(?:e|essa)|musicista|grafic[oa]|consulente)(?: software)?){E}"),
    ("name", "slot", "speaks", "parl", r"(?:(?P<me>parlo)|{S} parla) (?P<o>(?:italiano|inglese|francese|tedesco|spagnolo|portoghese|russo|cinese|giapponese|arabo)(?:(?:, | e )(?:italiano|inglese|francese|tedesco|spagnolo|portoghese|russo|cinese|giapponese|arabo))*){L}"),
    ("name", "slot", "diet", "vegan|vegetarian", r"(?:(?P<me>sono(?: diventat[oa])?)|{S} è) (?P<o>vegan[oa]|vegetarian[oa]){E}"),
    ("name", "slot", "allergic_to", "allergic", r"(?:(?P<me>sono)|{S} è) allergic[oa] (?:(?:ai|alle|alla|agli|al|a) |all')(?P<o>[\w ,]{3,50}?){L}"),
    ("name", "slot", "favourite", "preferit", r"(?:il|la) (?P<me>mi[oa]) (?P<what>\w+) preferit[oa] è (?:il |la |l')?(?P<o>[\w' .-]{2,40}?){E}"),
    ("name", "age", "age", "anni", r"(?:(?P<me>ho)|{S} ha) (?P<o>\d{1,3}) anni{E}"),
    ("preference", "slot", "dislikes", "non mi piac|odio|detesto|non sopporto", r"(?:(?P<me>non mi) (?:piace|piacciono) (?P<o>" + _NOT + r"[\w', -]{2,60}?){L}|(?P<me>odio|detesto|non sopporto) (?P<o>" + _NOT + r"[\w', -]{2,60}?){L})"),
    ("preference", "slot", "likes", "mi piac|adoro|amo ", r"(?:(?P<me>mi) (?:piace|piacciono)(?: (?:molto|tanto|un sacco))? (?P<o>" + _NOT + r"[\w', -]{2,60}?){L}|(?P<me>adoro|amo) (?P<o>" + _NOT + r"[\w', -]{2,60}?){L})"),
    ("preference", "slot", "prefers", "prefer", r"(?:(?P<me>(?:io )?preferisco)|{S} preferisce) (?P<o>(?!che\b)[\w`'./@:+ -]{2,70}?){E}"),
    ("preference", "free", "Preference: {o}", "sempre", r"(?:per favore )?(?P<o>(?:usa|scrivi|rispondi|aggiungi|esegui|controlla|metti|chiedi|fai) sempre .{3,100}?)\s*$"),
    ("preference", "free", "Preference: {o}", "non .* mai|mai", r"(?:per favore )?(?P<o>non (?:usare|scrivere|aggiungere|fare|mettere|cancellare|committare|toccare|rispondere|pushare) mai .{3,100}?)\s*$"),
    ("preference", "free", "Preference: {o}", "d'ora in poi|da ora in poi", r"(?:d'ora in poi|da ora in poi|da adesso in poi),? (?P<o>.{6,110}?)\s*$"),
    ("routine", "held_on", "held_on", "ogni|tutti i|spostat", r"(?:il|la|lo|l') ?(?:nostr[oa] )?(?P<s>(?:stand-?up|riunione|retro|retrospettiva|lezione|allenamento|call|demo|corso)(?: di \w+)?) (?:è|si tiene|(?:è stat[oa] |è )?spostat[oa] (?:a|al))(?: il| la)? ?(?P<o>(?:ogni |tutti i )?" + _DAY + r"(?: (?:mattina|pomeriggio|sera))?(?: alle [\d:.]+)?){E}"),
    ("routine", "routine", "routine", "ogni|tutti i|tutte le|il lune|il marte|il mercole|il giove|il vener|il sabato|la domenica", r"{WHEN},? (?P<o>(?:vado|faccio|corro|nuoto|gioco|cucino|mando|scrivo|controllo|chiamo|abbiamo|facciamo|lavoro|pulisco|pranzo|ceno|porto|leggo|studio|prendo|deployo|rilasciamo)\b[\w`'./@: -]{0,80}?){X}"),
    ("routine", "routine", "routine", "ogni|tutti i|tutte le|il lune|il marte|il mercole|il giove|il vener|il sabato|la domenica", r"(?:di solito )?(?P<o>(?:vado|faccio|corro|nuoto|gioco|cucino|mando|scrivo|controllo|chiamo|abbiamo|facciamo|lavoro|pulisco|pranzo|ceno|porto|leggo|studio|prendo|deployo|rilasciamo)\b[\w`'./@: -]{0,80}?) {WHEN}{E}"),
    ("priority", "free", "Blocking: {o}", "blocc", r"(?P<o>(?:il|la|lo|i|le|l'|questo) ?[\w`#./' -]{2,50}? (?:sta bloccando|blocca|stanno bloccando) [\w`'#./ -]{3,70}?)\s*$"),
    ("priority", "free", "Priority: {o} first", "prima", r"(?:per favore |dobbiamo )*(?:prima (?:sistema|sistemiamo|risolvi|finisci|finiamo|facciamo|fai|correggi|correggiamo) (?P<o>[\w`'#./ -]{3,60}?)|(?:sistema|sistemiamo|risolvi|finisci|finiamo|facciamo|fai|correggi|correggiamo) (?P<o>[\w`'#./ -]{3,60}?) (?:per prima cosa|prima di tutto|per primo)){E}"),
    ("priority", "free", "Priority: {o}", "priorità", r"(?:la (?:nostra |mia )?priorità(?: assoluta| numero uno| principale)?(?: adesso| ora)? è (?P<o>.{3,90}?)|(?P<o>(?:il |la |i |le )[\w`'#./ -]{3,50}?) (?:ha|hanno) la priorità)\s*$"),
    ("decision", "free", "Decision: {o}", "andiamo con|usiamo|optiamo|teniamo|saltiamo|passiamo|scegliamo|rimandiamo|togliamo|partiamo", r"(?P<o>(?:andiamo con|usiamo|optiamo per|teniamo|saltiamo|passiamo a|scegliamo|rimandiamo|togliamo|partiamo con|partiamo da)\b [\w`'\"#./@:+,() -]{2,110}?)\s*$"),
    ("decision", "free", "Decision: {o}", "deciso|decisione", r"(?:(?:abbiamo|ho) deciso(?: di| che)?|la decisione è(?: di)?|decisione:) (?P<o>.{4,120}?)\s*$"),
    ("decision", "free", "Decision: skip {o}", "salta", r"(?:per favore )?salta (?P<o>(?:il|la|i|le|lo|gli|questo) [\w`'#./ -]{2,70}?)(?: per ora)?\s*$"),
    ("architecture", "free", "Architecture: {o}", "dovremmo|dobbiamo|bisogna", r"(?:dovremmo|dobbiamo|bisogna) (?P<o>(?:usare|adottare|tenere|salvare|separare|evitare|spostare|mettere|supportare)\b .{3,110}?)\s*$"),
    ("architecture", "free", "Architecture: {o}", "non ", r"(?:per favore )?(?P<o>non (?:aggiungere|usare|introdurre|installare|toccare|importare|committare|esporre|creare|modificare|aggiungiamo|usiamo)\b .{2,110}?)\s*$"),
    ("value", "value", "value", " è |:", r"(?:il|la|lo|l'|i|le)? ?(?:nostr[oa] |mi[oa] )?(?P<s>(?:url|endpoint|branch|ramo|porta|versione|host|dominio|bucket|repo|repository|id|ticket|timeout|limite|regione|percorso|cartella|database|canale|tag|budget|scadenza|nome del branch)(?: (?:di|del|della|per|dello)? ?[\w-]+)?)(?: è| diventa| deve essere|:) (?:ora )?{VAL}{E}"),
    ("value", "due", "due_on", "scadenza|consegna|lancio|rilascio", r"(?:il|la) (?P<s>(?:scadenza|consegna|lancio|rilascio|demo)(?: (?:di|del|della) [\w ]{2,30})?) è (?:il |per il |fissat[oa] per |spostat[oa] a )*(?P<o>(?:prossimo )?" + _DAY + r"|\d{1,2} [a-z]+(?: \d{4})?|\d{4}-\d{2}-\d{2}){E}"),
)  # fmt: skip

_KEPT = rows(
    ("name", "kept", "", "ricord|tieni presente|tieni a mente|nota che", r"(?P<o>.{6,140}?)\s*$"),
)  # fmt: skip

ITALIAN = Language(
    code="it",
    rules=FIRST + _RULES + EVERYDAY + _KEPT,
    mentions=MENTIONS,
    before_name=BEFORE_NAME,
    common=frozenset(
        "il lo gli della dello nel nella di che è sono mia mio ho abbiamo ogni vivo abito lavoro mi piace preferisco non più "
        "sul usiamo usa chiamo sorella fratello moglie marito questo perché anche sempre voglio dovremmo adoro odio per una "
        "dimentica dimenticalo volevo intendevo trasferito trasferita prima ricorda ricordati parlo faccio saltiamo mai "
        "andiamo deciso si dobbiamo porta ramo e perfetto grazie stasera domani tutti quando bella abbia ha sbagliato "
        "sbagliata alle sto del dei delle da ora poi tu suono gioco gatta gatto cane chiama figlia figlio figli anni quindi ci "
        "come niente nuovo nuova capo capa bevo mangio fumo ieri comunque adesso solo ma se lavora abita vive".split()
    ),
    roles=_ROLES,
    often=_OFTEN,
    possessive=r"(?P<me>mi[oa])",
    subject=r"(?:(?:il mio |la mia |mia |mio |nostra |nostro |il nostro |la nostra )(?P<kin>{ROLES})(?:,? (?P<kname>{N}),?)?|(?P<who>{N}))",
    opening=r"(?:ok|da (?:quest'anno|oggi|domani|ora|lunedì)|ah|oh sì|senti|scusa|no aspetta|aspetta|tra l'altro|insomma|comunque|dunque|cmq|per inciso|piccola nota|ah sì|ah dimenticavo|promemoria|per informazione|allora|beh|bene|inoltre|anche|e|ma|poi|oh|ciao|sì|si|no|certo|grazie|comunque|a proposito|per la cronaca|nota|nota che|ti ricordo che|(?:ricorda|ricordati|tieni presente|tieni a mente|non dimenticare)(?: che)?|in realtà|anzi|secondo me|credo che|da (?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)(?: \d{4})?|dal \d{4}|ieri|oggi|il mese scorso|la settimana scorsa|l'anno scorso|io)[,:.!;—–-]* +",
    conjunction="e",
    ends=r"a (?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)|in (?:primavera|estate|autunno|inverno)|quindi|lo scorso|purtroppo|ma|dal|dalla|da|ora|adesso|con|perché|per|fino|vicino|come|dove|che|anche|di nuovo|quando|il mese|la settimana|l'anno|questo|nel|ormai|già|invece|insieme|stabilmente|ieri|due|tre",
    joints=r"(?:[,;]|\s+[—–-])?\s+(?:e|ma|però|perché|mentre)(?:\s+(?:anche|poi|ora|adesso))?\s+(?=(?:io|mi|vivo|abito|lavoro|ho|sono|il mio|la mia|mia|mio|non|usiamo|saltiamo|preferisco|adoro|odio|parlo|andiamo|dovremmo|(?:il|la)(?= [\w ]{1,25} è\b))\b)|,\s+(?=non so\b)|[;]\s+|\s+[—–]\s+|,\s+(?=(?:io|mi|sono|vivo|abito|lavoro|il mio|la mia|mia|mio|non ho|non vivo|non abito|volevo|intendevo|usiamo)\b)",
    unsure=r"\b(?:(?<!so )(?<!ricordo )se|vorrei (?:vivere|trasferirmi|lavorare)|vivrei|sarei|sarebbe|avrei|avessi|fossi|vivessi|immagina|supponiamo|mettiamo|diciamo che|ipoteticamente|in teoria|sogno|sognato|per esempio|ad esempio|mi piacerebbe|preferirei morire)\b",
    doubt=r"\b(?:forse|magari|potrei|potremmo|chissà|non so|non sono sicur[oa]|probabilmente|pare|sembra|spero|quasi|sto pensando|stiamo pensando|un giorno)\b",
    reported=r"\b(?:(?-i:[A-ZÀ-Þ])\w+|lui|lei|loro|(?:il|la|mio|mia|un|una|i|gli) [\w' ]{2,30}) (?:ha detto|dice|dicono|mi ha detto|pensa|sostiene|ha scritto|scrive|crede|suggerisce|consiglia|ha chiesto|vuole che)\b|\bsecondo (?!me)\w+|, (?:dice|disse|ha detto|scrive) (?:il|la|lo|un|una|lui|lei|(?-i:[A-Z]\w+))\b",
    joking=r"\b(?:scherzo|scherzavo|sto scherzando|ahah+\w*|haha+|lol|per ridere|come no)\b|[😂🤣😜😝🙃🙄😏]",
    fiction=r"^[^\w\n]{0,20}(?:(?:per favore|puoi|potresti|mi|aiutami a)[, ]+)*(?:scrivi(?:mi)? (?:una?|un'|la|il|l'|due|tre) ?(?:\w+ ){0,2}(?:e-?mail|mail|lettera|storia|poesia|canzone|messaggio|post|tweet|tema|discorso|articolo|frase|frasi|testo|risposta|biografia|barzelletta)|traduci|tradurre|correggi|riscrivi|riassumi|fai finta|facciamo finta|recita|completa la frase)\b|\b(?:nel (?:romanzo|film|libro|gioco|racconto)|nella (?:storia|canzone)|il (?:mio )?personaggio|il protagonista|la protagonista|c'era una volta)\b",
    insists=r"\b(?:ricorda|ricordati|tieni presente|tieni a mente|nota|non dimenticare) che\b|^(?:ricorda|ricordati)[:,]",
    misspoke=r"\b(?:mi sono sbagliat[oa]|ho sbagliato|errore mio|non è vero|ho detto male|mi correggo)\b",
    pronouns=frozenset(
        "questo questa quello quella quelli ciò lo la li le tutto niente così qualcosa cosa quel".split()
    ),
    not_names=frozenset(
        "io lui lei noi voi loro questo questa quello quella il la lo gli le i un una uno mio mia tutti nessuno qualcuno cosa "
        "chi dove quando come perché oggi domani ieri sì no ok non anche poi se ma e o lunedì martedì mercoledì giovedì venerdì "
        "sabato domenica ogni che ciò la vita il tempo".split()
    ),
)
