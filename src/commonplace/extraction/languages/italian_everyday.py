# ruff: noqa: E501 - a pattern reads better on one line
"""Italian, as people type it about themselves: health and food, pets, pastimes, work, habits, how a project is done."""

from commonplace.extraction.languages.tables import rows

_STOP = r"(?=\s*(?:$|[.,;:!)~(]|\s[—–-]\s| (?:e|ma|perché|quindi|però|siccome|da (?:quando|anni|sempre|\w+ anni|\w+ mesi)|purtroppo|grazie)\b))"
_MONTH = r"(?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)"
_DATE = rf"(?:1°|\d{{1,2}}) {_MONTH}(?: \d{{4}})?|\d{{4}}-\d\d-\d\d"
_PET = r"(?P<animal>cane|cagnolin[oa]|gatt[oa]|gattin[oa]|coniglio|criceto|pappagallo|cavall[oa]|tartaruga|canarino)"
_MY = r"(?:(?:il|la) )?(?:mi[oa]|nostr[oa])"
_TO = r"(?:(?:al|allo|alla|ai|agli|alle|a) |all')"
_OF = r"(?:(?:di|del|dello|della|dei|degli|delle) |dell'|d')"
_THE = r"(?:(?:il|lo|la|i|gli|le|un|uno|una) |l'|un')"
_JOB = r"(?:[\w]+(?:ista|iere|iera|tore|trice|ologo|ologa|grafo|grafa|nomo|aio|aia)|insegnante|cantante|agente|assistente|consulente|dirigente|commerciante|praticante|medico|avvocat[oa]|architett[oa]|ingegnere|cuoc[oa]|cameriere|cameriera|commess[oa]|operai[oa]|impiegat[oa]|geometra|idraulico|meccanico|sarta|sarto|pilota|poliziott[oa]|maestr[oa]|profess(?:ore|oressa)|student(?:e|essa)|dottorand[oa]|ricercat(?:ore|rice)|infermier[ea]|ostetrica|veterinari[oa]|psicolog[oa]|chef|barista|postino|contadin[oa]|pensionat[oa]|freelance|designer|grafic[oa]|notaio|falegname|tecnico|segretari[oa])"
_PLAYED = r"(?:chitarra|pianoforte|piano|violino|violoncello|batteria|basso|flauto|tromba|sassofono|sax|clarinetto|arpa|fisarmonica|ukulele|tastiera|organo|viola|contrabbasso)"
_SPORT = r"(?:calcio|calcetto|tennis|basket|pallacanestro|pallavolo|padel|rugby|golf|scacchi|ping pong|pallamano|pallanuoto|badminton|squash|hockey|bridge|poker)"
_PRACTICE = r"(?:judo|karate|yoga|pilates|danza|boxe|pugilato|scherma|nuoto|atletica|arrampicata|canottaggio|vela|surf|ceramica|teatro|ginnastica|crossfit|equitazione|sci|ciclismo|ballo|tango|salsa|kickboxing|meditazione|palestra|corsa|immersioni|volontariato|triathlon)"
_VERB = r"(?!(?:presto|dopo|quando|quello|questo|tutto|molto|poco|solo|sono|ero|mercato|sto|credo|penso|vedo|sento|spero|dico|devo|voglio|vorrei|posso|ho (?:visto|fatto|detto|sentito|avuto|perso|preso|pensato|dimenticato|dovuto))\b)(?:ho|abbiamo|vado|andiamo|sto|mi \w+o|ci \w+iamo|[a-zà-ù]{2,}o|[a-zà-ù]{2,}iamo)"
_DAYS = "ogni|tutti i|tutte le|il lune|il marte|il mercole|il giove|il vener|il sabato|la domenica|di lune|di marte|di mercole|di giove|di vener|di sabato|di domenica|volte|una volta"
_WORK = r"(?:progetto|repo|repository|codice|team|pacchetto|servizio|libreria)"

FIRST = rows(
    ("name", "partnered", "", "sposat|fidanzat|insieme a|sto con", r"(?:sono (?:sposat[oa]|fidanzat[oa]) con|sto (?:insieme )?(?:con|a)) (?P<name>{N}){E}"),
    ("name", "pet", "has_pet", "cani|gatti|gatte|conigli", r"(?:ho|abbiamo) (?P<o>(?:due|tre|quattro) (?:cani|gatti|gatte|conigli|cagnolini|gattini)(?:,|:| che si chiamano| di nome)+ {N}(?:(?:, | e ){N})+)"),
    ("preference", "slot", "dislikes", "fastidio|non sopport|innervosisc|infastidisc", r"mi (?:dà|danno) fastidio (?:il |la |lo |l'|i |gli |le )?(?P<o>(?!che\b|quando\b)[\w' ]{3,40}?){E}"),
    ("preference", "slot", "likes", "tengo a|tengo molto", r"(?P<me>tengo) (?:molto |tanto )?(?:a|al|alla|all'|ai|alle) ?(?P<o>(?!che\b|te\b|mente\b)[\w' ]{4,40}?){E}"),
    ("value", "value", "value", "numero|codice|matricola|pin|targa", r"(?:il mio|la mia|il nostro|la nostra|il|la) (?P<s>(?:numero|codice|targa|pin|matricola|riferimento|chiave)(?: (?:di|del|della|dell'|cliente|fiscale) ?[\w ]{0,25}?)?)(?: è|:) (?P<o>[\w#./-]*\d[\w#./-]*){E}"),
    ("name", "slot", "works_at", " come ", r"(?:(?:(?P<me>lavoro)|{S} lavora) (?:alla|in|da|per|presso|al|all') ?{NAME} come (?P<job>[\w -]{4,30}?){X}|(?:(?P<me>lavoro)|{S} lavora) come (?P<job>[\w -]{4,30}?) (?:alla|in|da|per|presso|al|all') ?{NAME}{E})"),
    ("name", "kin_list", "", "ho |abbiamo", r"(?:io )?(?:ho|abbiamo) (?P<count>un |una |due |tre |quattro )?(?P<kin>{KIN})(?: (?:grandi|piccol[ei]))?(?:[,:(]| che si chiamano| di nome)+ (?P<names>{N}(?: \([^)]{1,12}\))?(?:(?:, | e ){N}(?: \([^)]{1,12}\))?)*)"),
    ("name", "kin_list", "", "si chiamano", r"(?:i miei|le mie|i nostri|le nostre) (?P<kin>{KIN}) si chiamano (?P<names>{N}(?:(?:, | e ){N})*)"),
    ("correction", "fixed", "", "non ", r"(?:(?:no|aspetta|scusa|anzi|in realtà)[,: ]+)*(?:(?:il|la|lo) |l')(?P<s>[\w' -]{2,40}?) è (?:(?:il|alle|al|su|in|a) |l')?(?P<new>(?-i:(?=[^,]*?[\dA-Z]))[\w:/.@#-]+(?: [\w:/.@#-]+){0,2}?),? (?:e )?non (?:(?:il|alle|al|su|in|a) |l')?(?P<old>[\w:/.@#-]+(?: [\w:/.@#-]+){0,2}?)\s*$"),
)  # fmt: skip

EVERYDAY = rows(
    ("retraction", "ended", "works_at", "lasciato|licenziat|dimess", r"(?P<me>(?:ho lasciato(?: il lavoro (?:alla|in|da|presso))?|mi sono (?:licenziat[oa]|dimess[oa]) (?:da|dalla|dal))) {NAME}{E}"),
    ("retraction", "ended", "plays", "più", rf"(?:(?P<me>(?:io )?non suono più) {_THE}(?P<o>{_PLAYED})|(?P<me>(?:io )?non gioco più) a (?P<o>{_SPORT})){{E}}"),
    ("retraction", "ended", "practises", "più", rf"(?P<me>(?:io )?non (?:faccio|pratico) più) (?:il |la |lo |l')?(?P<o>{_PRACTICE}){{E}}"),
    ("retraction", "ended", "partner_of", "lasciat|sto più con|esco più con", r"(?P<me>mi sono lasciat[oa] con|ci siamo lasciati io e|non (?:sto|esco) più con) (?P<o>{N}){E}"),
    ("name", "my_name", "", "sono", r"(?:piacere[,!]? )?(?:io )?sono (?P<name>(?-i:[A-ZÀ-Þ][a-zà-ÿ'-]+(?: [A-ZÀ-Þ][a-zà-ÿ'-]+)?))(?=\s*(?:$|[,.!]| e\b))"),
    ("name", "core", "name", "cognome|si scrive", r"il mio (?:cognome|nome) (?:è|si scrive) {NAME}{E}"),
    ("name", "pet", "has_pet", "si chiama", rf"(?:l'altr[oa] )?{_MY} (?:altr[oa] )?{_PET} si chiama (?P<name>{{N}}){{E}}"),
    ("name", "slot", "born_on", "compleanno", rf"il compleanno di (?:mia|mio) (?P<kin>{{KIN}}) è (?:il |l')(?P<o>{_DATE}){{E}}"),
    ("name", "thing_name", "", "si chiama", rf"{_MY} (?P<what>\w+) si chiama (?P<name>{{N}}){{E}}"),
    ("name", "slot", "condition", "celiac|diabetic|intolleran|daltonic|mancin|dislessic|asmatic|miope|astemi|incinta|epilettic|sord|cieco|cieca|autistic|anemic|claustrofobic",
     rf"(?:(?P<me>(?:io )?sono)|{{S}} è) (?:anche |purtroppo |molto |un po' )*(?P<o>celiac[oa]|diabetic[oa]|intollerante {_TO}\w+|daltonic[oa]|mancin[oa]|dislessic[oa]|asmatic[oa]|miope|astemi[oa]|incinta|epilettic[oa]|sord[oa]|cieco|cieca|autistic[oa]|anemic[oa]|claustrofobic[oa]){{E}}"),
    ("name", "slot", "has_condition", "ho |ha |soffr", rf"(?:(?P<me>(?:io )?(?:ho|soffro di))|{{S}} (?:ha|soffre di)) (?:l'|la |il |le |un'|una |un po' di |di )?(?P<o>asma|diabete|emicrani[ae]|celiachia|epilessia|insonnia|allergia {_TO}\w+|intolleranza {_TO}\w+|pressione (?:alta|bassa)|artrite|reflusso|psoriasi|dislessia|vertigini|ernia|adhd|depressione|attacchi di panico|endometriosi|acufene){{E}}"),
    ("name", "slot", "does_not_eat", "non mang|non posso mang|non tocco", rf"(?:(?P<me>(?:io )?non (?:mangio|posso mangiare))|{{S}} non (?:mangia|può mangiare)) (?:più |mai |il |la |lo |i |gli |le |l')*(?P<o>(?!(?:niente|nulla|molto|tanto|da|a|in|fuori|qui|questo|quello|se|quando|più|mai|abbastanza)\b)[\w' -]{{3,40}}?){_STOP}"),
    ("name", "slot", "does_not_drink", "non bev", rf"(?:(?P<me>(?:io )?non bevo)|{{S}} non beve) (?:più |mai |il |la |lo |l'|i |gli )*(?P<o>(?!(?:niente|nulla|molto|tanto|da|a|in|mai|più|abbastanza)\b)[\w' -]{{3,40}}?){_STOP}"),
    ("name", "slot", "does_not_drink:alcohol", "non bev", rf"(?:(?P<me>(?:io )?non bevo)|{{S}} non beve){_STOP}"),
    ("name", "slot", "gave_up:smoking", "non fumo|smesso di fumare", r"(?:(?P<me>(?:io )?non fumo più|ho smesso di fumare)|{S} (?:non fuma più|ha smesso di fumare)){E}"),
    ("name", "slot", "does_not:smoke", "non fum", rf"(?:(?P<me>(?:io )?non fumo)|{{S}} non fuma){_STOP}"),
    ("name", "slot", "gave_up", "smesso di|rinunciato", r"(?P<me>ho (?:smesso di|rinunciato a)) (?P<o>bere(?: caffè| alcolici)?|mangiare \w+|giocare(?: a)?|suonare|correre|usare \w+){E}"),
    ("name", "slot", "afraid_of", "paura|terrore", rf"(?:(?P<me>ho)|{{S}} ha) (?:molta |tanta |una gran |il )?(?:paura|terrore) {_OF}(?P<o>volare|altezze?|vuoto|ragni|serpenti|cani|aghi|buio|acqua|mare|aereo|ascensori|temporali|topi|dentista|sangue|luoghi chiusi|guidare|api|vespe|cavalli){{E}}"),
    ("name", "slot", "lives_in", "viv|abit|sto a|trasferi", rf"(?:(?P<me>(?:io |ora |adesso |noi )*(?:vivo|abito|viviamo|abitiamo|sto)(?: ora| adesso| ormai| attualmente| da \w+(?: (?:anni|mesi|settimane|anno|mese))?)? (?:a|in|vicino a|dalle parti di)) {{PLACE}}{{E}}|(?P<me>ci siamo)(?: appena)? trasferit[ie] a {{PLACE}}{{E}}|(?P<me>mi sono)(?: appena)? trasferit[oa] (?:a|in) {{PLACE}}(?= (?:a|in|per) {_MONTH}| per lavoro))"),
    ("name", "slot", "from", "nat|cresciut|sono di", r"(?:(?P<me>(?:io )?sono) (?:nat[oa]|cresciut[oa]|nat[oa] e cresciut[oa]) (?:a|in|vicino a)|(?P<me>(?:io )?sono) di) {PLACE}{E}"),
    ("name", "slot", "moving_to", "mi trasferisco|ci trasferiamo", r"(?P<me>mi trasferisco|ci trasferiamo) (?:a|in) {PLACE}{E}"),
    ("name", "slot", "works_at", "lavor|assunt|cominciato|iniziato", r"(?:(?:(?P<me>(?:io )?(?:ora |adesso )?lavoro)|{S} (?:ora |adesso )?lavora)(?: \w+){0,3}? (?:per|alla|in|da|presso|al|nella|dalla|allo|all') ?{NAME}{E}|(?P<me>(?:sono stat[oa] assunt[oa]|mi hanno assunt[oa]|ho (?:iniziato|cominciato)(?: a lavorare)?|ho trovato lavoro)) (?:alla|in|da|presso|al|all') ?{NAME}{E})"),
    ("name", "slot", "occupation", "faccio|sono |lavoro|è |fa ", rf"(?:(?:(?P<me>(?:io )?lavoro)|{{S}} lavora) (?:come|da) (?P<o>(?!casa\b|remoto\b|sol[oa]\b|anni\b|mesi\b|tempo\b|\w+ (?:anni|mesi)\b){_THE}?[\w ]{{4,40}}?){{E}}|(?:(?P<me>(?:io )?faccio)|{{S}} fa) {_THE}(?P<o>{_JOB}(?: \w+)?)(?=\s*(?:$|[.,;!]| (?:a|in|al|alla|all|presso|per|da|e|ma|di|nel|nella)\b))|(?:(?P<me>(?:io )?sono)|{{S}} è) (?:un[oa]? |un')?(?P<o>{_JOB})(?=\s*(?:$|[.,;!]| (?:a|in|al|alla|presso|per|e|ma|di|da|nel|nella)\b)))"),
    ("name", "slot", "plays", "suon|gioc", rf"(?:(?:(?P<me>(?:io )?suono)|{{S}} suona)(?: anche)? {_THE}(?P<o>{_PLAYED}){{E}}|(?:(?P<me>(?:io )?gioco)|{{S}} gioca)(?: anche)? a (?P<o>{_SPORT}){{E}})"),
    ("name", "slot", "practises", "faccio|fa |pratic", rf"(?:(?P<me>(?:io )?(?:faccio|pratico))|{{S}} (?:fa|pratica))(?: anche)? (?:il |lo |la |l')?(?P<o>{_PRACTICE}){{E}}"),
    ("name", "slot", "learning", "imparando|studiando|imparare", r"(?P<me>(?:io )?(?:sto (?:imparando|studiando)|ho iniziato a (?:imparare|studiare))) (?:anche )?(?:il |lo |la |l'|a )?(?P<o>(?!(?:per|un|una|come|che|se)\b)[\w]{3,20}(?: \w+)?){E}"),
    ("name", "slot", "drives", "guido", r"(?P<me>guido) (?P<o>una? (?:vecchia |nuova )?(?-i:[A-Z])[\w-]+(?: [\w-]+)?){E}"),
    ("name", "slot", "lacks", "non ho", r"(?P<me>(?:io )?non ho) (?:la |il |l'|una? |un')(?P<o>macchina|auto|patente|televisione|tv|lavastoviglie|forno|balcone|giardino|bici|cellulare|passaporto|ascensore){E}"),
    ("name", "slot", "supports", "tifo", r"(?P<me>tifo) (?:per )?(?:il |la |l')?(?P<o>{N}){E}"),
    ("preference", "slot", "prefers", "prefer", r"(?P<me>(?:io )?preferisco) (?P<o>(?:che (?:tu )?|non )[\w`'./@:+ -]{3,70}?){E}"),
    ("preference", "free", "Preference: {o}", "dammi del|evita|niente |non usare|quando mi scrivi|quando mi rispondi|nelle risposte", r"(?!.*\b(?:stavolta|questa volta|per ora|oggi|in quest\w)\b)(?:per favore )?(?P<o>dammi del (?:tu|lei)|(?:evita|niente|non usare|usa|scrivi|rispondi)\b.{3,70}? (?:quando mi (?:scrivi|rispondi|parli)|nelle (?:tue )?risposte|con me)\b.{0,30}?)\s*$"),
    ("routine", "routine", "routine", _DAYS, r"{WHEN},? (?P<o>" + _VERB + r"\b[\w`'./@: -]{0,80}?){X}"),
    ("routine", "routine", "routine", _DAYS, r"(?:di solito |io |noi )*(?P<o>" + _VERB + r"\b[\w`'./@: -]{0,60}?) {WHEN}{E}"),
    ("routine", "routine", "routine", "di solito|normalmente|in genere", r"(?:io )?(?:di solito|normalmente|in genere) (?P<o>" + _VERB + r"\b[\w`'./@: -]{3,70}?){X}"),
    ("routine", "held_on", "held_on", "ogni|tutti i|tutte le|volt", r"(?:il|la|lo|l') ?(?:nostr[oa] |mi[oa] )?(?P<s>(?:stand-?up|riunione|retro|lezione|allenamento|call|demo|corso|backup|terapia|mercato|spesa)(?: (?:di|del|della) \w+)?) (?:è|si tiene|c'è|si fa)(?: alle [\d:.]+)? (?P<o>(?:ogni|tutti i|tutte le) (?:\w+)(?: (?:mattina|pomeriggio|sera))?(?: alle [\d:.]+)?){E}"),
    ("decision", "free", "Decision: {o}", "scelto|restiamo|rimaniamo|si va con|teniamo|abbandoniamo|alla fine|non facciamo", r"(?:alla fine )?(?P<o>(?:abbiamo scelto|ho scelto|restiamo (?:su|con)|rimaniamo (?:su|con)|si va con|abbandoniamo|teniamo|lasciamo|(?:ci siamo|siamo) passati a|non facciamo)\b (?!(?:questo|quello|perdere|stare|così)\b)[\w`'\"#./@:+,() -]{2,100}?)\s*$"),
    ("decision", "free", "Convention: {o}", "in questo|nel progetto|nel repo|in questa|nel codice", rf"(?:(?:in|per) (?:questo|questa|quest') ?{_WORK},? (?P<o>(?:usiamo|si usa|scriviamo|niente|non usiamo|indentiamo|i commenti|i commit|i test|teniamo|solo|sempre|mai)\b.{{2,90}}?)|(?P<o>(?:usiamo|usa|scriviamo|indentiamo|niente|solo|non usiamo|teniamo)\b .{{2,70}}? (?:in|per) (?:questo|questa|quest') ?{_WORK}))\s*$"),
    ("correction", "free", "Lesson: {o}", "il problema era|la causa era|imparato a mie spese|bastava|la soluzione era", r"(?:imparato a mie spese:? |(?=il problema era|la causa era|la soluzione era))(?P<o>.{10,140}?)\s*$"),
    ("value", "value", "value", " su | a |https", r"(?:il |la |lo |l')?(?P<s>(?:server|database|db|sito|api|dashboard|servizio|repo|staging|produzione|wiki|app)(?: (?:di|del|della) [\w-]+)?) (?:è|gira|sta|si trova|ascolta)(?: ora| adesso)?(?: su| a| sulla porta| in)? {VAL}{E}"),
    ("value", "event", "held_on", "riunione|matrimonio|colloquio|esame|festa|concerto|volo|visita|viaggio|appuntamento|gita", rf"(?:(?:il|la|lo) |l')(?:mio |mia |nostro |nostra )?(?P<s>(?:riunione|matrimonio|colloquio|esame|festa|concerto|volo|visita|viaggio|appuntamento|gita|conferenza)(?: (?:di|del|della|con|a) [\w ]{{2,30}}?)?) (?:è(?: stat[oa])?(?: spostat[oa])?(?: ora| adesso)?) (?:il |al |l'|all')(?P<o>{_DATE}){{E}}"),
    # Of oneself, in whatever words
    ("name", "slot", "lives_in", "affitto|casa a|domicili", r"(?P<me>(?:io )?(?:sono in affitto|ho (?:preso )?casa|sono domiciliat[oa]|sono residente)) a {PLACE}{E}"),
    ("name", "slot", "gave_up", "chiuso con|smesso con|mollato", r"(?P<me>ho (?:chiuso|smesso) con|ho mollato) (?:il |la |lo |l'|i |le )?(?P<o>[\w ]{3,30}?){E}"),
    ("name", "slot", "has_condition", "allergi", r"(?P<me>ho) (?P<o>(?:un'|l')?allergia (?:al|alla|ai|alle|agli|all')? ?[\w ]{3,30}?){E}"),
    ("name", "slot", "studies", "studi|frequento|iscritt", r"(?P<me>(?:io )?(?:studio|sono iscritt[oa] a|frequento)) (?!(?:per|ogni|molto|tanto|un po')\b)(?P<o>[\w' ]{4,40}?)(?= a\b| alla\b| all'| presso\b|\s*(?:$|[.,;!]))"),
    ("routine", "routine", "routine", "o ", r"(?:io )?(?:di solito |sempre |spesso |ancora |anche )*(?P<o>(?!.*\b(?:oggi|stasera|domani|ieri|adesso|ora|questa|questo|lo|ti|tuo|tua)\b)(?:insegno|canto|dipingo|disegno|cucino|colleziono|coltivo|alleno|corro|nuoto|scio|ballo|recito|scrivo|programmo|viaggio|porto (?:gli occhiali|le lenti)|uso|frequento|lavoro (?:da casa|da remoto|part[- ]time|a tempo pieno|di notte|su turni|in comune|in proprio|nel|nella)|vivo con|abito con|dormo|mi (?:alzo|sveglio)|vado (?:a letto|al lavoro|a scuola|in palestra|in bici)|prendo (?:il treno|l'autobus|la metro)|gestisco|dirigo|ascolto|guardo|seguo|allevo|affitto|condivido|medito|traduco|restauro|faccio il volontario)\b[\w`'./@ -]{4,70}?){X}"),
    ("decision", "free", "Decision: {o}", "abbiamo scelto|ho scelto|abbiamo optato", r"per (?P<o>(?:il|la|lo|l'|i|le) ?[\w ]{2,30}? (?:abbiamo|ho) (?:scelto|optato per) [\w`'#./@:+ -]{2,60}?)\s*$"),
    ("decision", "free", "Convention: {o}", "vanno|va in|devono", r"(?P<o>(?:i|le|gli) (?:commenti|commit|test|nomi|variabili|migrazioni|file|branch|messaggi|log|documenti|date|prezzi)(?: (?:nel|del|dei|di) \w+)? (?:vanno|devono|si scrivono|stanno) [\w`'#./@:+ -]{3,60}?)\s*$"),
    ("value", "event", "held_on", "spostat|rinviat|anticipat", rf"(?:(?:il|la|lo) |l')(?P<s>(?:riunione|esame|visita|appuntamento|colloquio|consegna|lancio|volo|cena|lezione)(?: (?:di|del|della|con|col|coi) [\w ]{{2,30}}?)?) (?:è stat[oa]|è|viene)(?: stat[oa])? (?:spostat|rinviat|anticipat)[oa] (?:al|all'|a) ?(?P<o>{_DATE}){{E}}"),
    ("name", "slot", "works_in", "lavor", r"(?:(?P<me>(?:io )?lavoro)|{S} lavora) (?P<o>(?:in|nel|nella|in un|in una|in un'|all'|al|alla) ?(?:farmacia|panificio|ospedale|scuola|biblioteca|fabbrica|negozio|supermercato|ristorante|bar|hotel|albergo|museo|banca|laboratorio|università|ufficio|clinica|magazzino|officina|studio(?: \w+)?|libreria|agenzia|asilo|comune|cantiere|teatro|palestra|azienda(?: \w+)?)(?: (?:a|di|in) {N})?){E}"),
    ("name", "slot", "lived_in", "vissuto|abitato", r"(?P<me>ho (?:vissuto|abitato))(?: (?:per )?\w+ (?:anni|mesi))? (?:a|in) {PLACE}{E}"),
    ("value", "thing", "", "si chiama", r"(?:il|la|l') ?(?:nostr[oa] )?(?P<what>progetto|app|servizio|azienda|prodotto|repo|negozio|band|cane|gatto|libreria) si chiama (?P<o>(?-i:[A-Z])[\w.-]*(?: (?-i:[A-Z])[\w.-]*){0,2}){E}"),
    ("value", "thing", "", " è ", r"(?:il|la|l') ?(?:nostr[oa] |mi[oa] )?(?P<what>capo progetto|referente|responsabile|cliente|fornitore|relatore|relatrice|direttore|direttrice|presidente|allenatore|tutor) (?:è|adesso è) (?P<o>(?-i:[A-Z])[\w.-]*(?: (?-i:[A-Z])[\w.-]*){0,2}){E}"),
    ("decision", "free", "Decision: {o}", "concordato|stabilito|d'accordo", r"(?:abbiamo (?:concordato|stabilito)(?: di| che)?|siamo d'accordo(?: di| che| su)?) (?P<o>.{4,100}?)\s*$"),
)  # fmt: skip

MENTIONS = rows(
    ("name", "mention", "", "mi|nostr", r"\b(?:mi[oa]|nostr[oa]) (?:car[oa] |nuov[oa] )?(?P<kin>{ROLES}),? (?P<kname>{N})(?! o\b|[\w-])"),
    ("name", "pet", "has_pet", "mi|nostr", rf"\b(?:mi[oa]|nostr[oa]) {_PET},? (?P<name>{{N}})(?![\w-])"),
    ("name", "slot", "lives_in", "vive a|abita a", r"\b(?:mi[oa]|nostr[oa]) (?P<kin>{ROLES})(?:,?| is| è| es| est| ist) (?P<kname>{N})\b[^.?!;~]{0,60}?, (?:lui |lei |che )?(?:ora |adesso )?(?:vive|abita) a {PLACE}{E}"),
)  # fmt: skip
BEFORE_NAME = r"\b(?:(?:vivo|abito|vive|abita|trasferit[oa]|sto) (?:ora |adesso )?a |si chiama |mi chiamo |chiamami )(?P<n>(?!(?:casa|un|una|mio|mia|questo|quello|due|tre|e|o|non|come|così|pure|nord|sud|est|ovest|letto|terra|scuola)\b)[a-zà-ÿ]{3,})(?=\s*(?:$|[.,;!)]| (?:e|ma|da|con|per|dal|in|a|ora)\b))"
