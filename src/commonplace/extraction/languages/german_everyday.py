# ruff: noqa: E501 - a pattern reads better on one line
"""German, as people type it about themselves: health and food, pets, pastimes, work, habits, how a project is done."""

from commonplace.extraction.languages.tables import rows

_STOP = r"(?=\s*(?:$|[.,;:!)~(]|\s[—–-]\s| (?:und|aber|weil|denn|also|seit|danke|sondern)\b))"
_MONTH = r"(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)"
_DATE = rf"\d{{1,2}}\. ?(?:{_MONTH}|\d{{1,2}}\.?)(?: ?\d{{4}})?|\d{{4}}-\d\d-\d\d"
_PET = r"(?P<animal>hund|hündin|welpe|katze|kater|kätzchen|kaninchen|hase|hamster|papagei|pferd|stute|schildkröte|wellensittich|meerschweinchen)"
_MY = r"(?:mein|unser)(?:e|er|en|em|es)?"
_SINCE = r"(?: (?:seit (?:\d{4}|[\w-]+(?: (?:jahr|jahren|monat|monaten|wochen|woche|sommer|winter))?|meiner kindheit|der schulzeit)|schon (?:immer|ewig|lange)|jetzt|inzwischen|nun|auch|aktuell|gerade|derzeit|momentan|mittlerweile|immer noch|noch|eigentlich))*"
_JOB = r"(?:[\wäöüß-]*(?:ingenieur|entwickler|krankenpfleger|pfleger|lehrer|architekt|journalist|fotograf|programmierer|designer|student|musiker|berater|elektriker|schreiner|tischler|übersetzer|verkäufer|bäcker|metzger|gärtner|maler|maurer|mechaniker|mechatroniker|techniker|informatiker|physiker|chemiker|biologe|psychologe|historiker|mathematiker|therapeut|assistent|sekretär|buchhalter|steuerberater|bauer|landwirt|winzer|fahrer|pilot|polizist|richter|notar|autor|redakteur|sänger|tänzer|schauspieler|regisseur|trainer|erzieher|sozialarbeiter|sozialpädagoge|apotheker|optiker|friseur|kellner|barkeeper|manager|leiter|referent|doktorand|forscher|wissenschaftler|bibliothekar|buchhändler|gründer|unternehmer|rentner|azubi|freiberufler|florist|goldschmied|optiker|kameramann)(?:in)?|krankenschwester|hebamme|ärztin|arzt|anwalt|anwältin|koch|köchin|kauffrau|kaufmann|bankkauffrau|bankkaufmann|feuerwehrmann|feuerwehrfrau|hausfrau|hausmann|beamt(?:er|in)|selbstständig|selbständig|freelancer(?:in)?)"
_PLAYED = r"(?:klavier|gitarre|geige|violine|cello|schlagzeug|bass|e-gitarre|flöte|querflöte|blockflöte|trompete|saxophon|saxofon|klarinette|harfe|akkordeon|ukulele|keyboard|orgel|bratsche|kontrabass|posaune|fußball|handball|tennis|basketball|volleyball|padel|rugby|golf|schach|tischtennis|badminton|squash|hockey|eishockey|wasserball|skat|poker|bridge)"
_PRACTICE = r"(?:judo|karate|yoga|pilates|ballett|boxen|fechten|turnen|crossfit|klettern|bouldern|rudern|segeln|surfen|töpfern|theater|reiten|ski|kampfsport|krafttraining|meditation|triathlon|tanzen|aikido|taekwondo|leichtathletik)"
_VERB = r"(?!(?:bin|war|waren|hatte|hatten|werde|werden|wurde|denke|glaube|sehe|höre|frage|weiß|muss|müssen|kann|können|will|wollen|soll|möchte|darf|hab ich gesehen)\b)[a-zäöüß]{2,}"
_DAYS = "jede|montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags|täglich|wöchentlich|mal pro|mal die|mal am|mal in der|am wochenende"
_WORK = r"(?:projekt|repo|repository|codebase|code|team|paket|service|dienst|bibliothek)"

FIRST = rows(
    ("name", "kin_list", "", "hab|haben", r"(?:ich hab(?:e)?|wir haben) (?P<count>eine |einen |ein |zwei |drei |vier )?(?:kleine |große |erwachsene |jüngere |ältere )?(?P<kin>{KIN})n?(?:[,:(]| namens)+ (?P<names>{N}(?: \([^)]{1,12}\))?(?:(?:, | und ){N}(?: \([^)]{1,12}\))?)*)"),
    ("name", "kin_list", "", "heißen|heissen", r"(?:meine|unsere) (?:beiden |zwei |drei )?(?P<kin>{KIN})n? hei(?:ß|ss)en (?P<names>{N}(?:(?:, | und ){N})*)"),
    ("name", "have_kin", "", "ich hab", r"ich hab (?P<count>ne |nen |n |eine |einen |ein |zwei |drei )(?:kleine |große |kleinen |großen |ältere |älteren |jüngere |jüngeren )?(?P<kin>{KIN})(?: in {PLACE})?{E}"),
    ("correction", "fixed", "", "nicht ", r"(?:(?:nein|nee|ne|moment|sorry|halt|eigentlich)[,: ]+)*(?:der|die|das|mein|meine|unser|unsere) (?P<s>[\w -]{2,40}?) ist (?:am |um |in |auf |erst )?(?P<new>(?=[^,]*?\d)[\w:/.@#-]+\.?(?: [\w:/.@#-]+){0,2}?),? (?:und )?nicht (?:am |um |in |auf )?(?P<old>[\w:/.@#-]+\.?(?: [\w:/.@#-]+){0,2}?)\.?\s*$"),
)  # fmt: skip

EVERYDAY = rows(
    ("retraction", "forget", "", "vergiss|streich", r"(?:bitte )?(?:vergiss|streich(?:e)?) (?:bitte )?das mit (?:dem |der |den )?(?P<about>[\w -]{2,50}?)(?: bitte| wieder)?(?=$|[.!,])"),
    ("retraction", "lack", "", "kein", r"ich hab (?:eigentlich |gar )?keine?n? (?P<kin>{KIN})(?: mehr)?{E}"),
    ("retraction", "ended", "works_at", "gekündigt|aufgehört|verlassen", r"(?P<me>ich) hab(?:e)? (?:bei {NAME} (?:gekündigt|aufgehört)|{NAME} verlassen){E}"),
    ("retraction", "ended", "partner_of", "getrennt|schluss|nicht mehr mit", r"(?:(?P<me>ich) hab(?:e)? (?:mich von (?P<o>{N}) getrennt|mit (?P<o>{N}) schluss gemacht)|(?P<me>ich) bin nicht mehr mit (?P<o>{N}) zusammen){E}"),
    ("name", "my_name", "", "ich bin", r"ich bin (?:die|der) (?P<name>(?-i:[A-ZÄÖÜ][a-zäöüß-]+(?: [A-ZÄÖÜ][a-zäöüß-]+)?))(?=\s*(?:$|[,.!]| und\b))"),
    ("name", "core", "name", "nachname|vorname|schreibt sich", r"mein (?:nachname|vorname|name) (?:ist|lautet|schreibt sich) {NAME}{E}"),
    ("name", "slot", "born_on", "geburtstag", rf"(?:meine?|mein) (?P<kin>{{KIN}})(?: (?P<kname>{{N}}))? hat am (?P<o>{_DATE}) geburtstag{{E}}"),
    ("name", "pet", "has_pet", "heißt|heisst", rf"{_MY} {_PET} hei(?:ß|ss)t (?P<name>{{N}}){{E}}"),
    ("name", "thing_name", "", "heißt|heisst", rf"{_MY} (?P<what>[\w-]+) hei(?:ß|ss)t (?P<name>{{N}}){{E}}"),
    ("name", "slot", "condition", "zöliakie|diabet|intoleran|farbenblind|linkshänder|legasthen|asthma|kurzsichtig|schwanger|epilep|taub|blind|autis|gehörlos|klaustrophob",
     r"(?:(?P<me>ich) bin|{S} ist) (?:auch |leider |sehr |ein bisschen )*(?P<o>diabetiker(?:in)?|(?:laktose|gluten|histamin|fruktose)-?intolerant|farbenblind|linkshänder(?:in)?|legastheniker(?:in)?|asthmatiker(?:in)?|kurzsichtig|weitsichtig|schwanger|epileptiker(?:in)?|taub|gehörlos|blind|autist(?:in)?|autistisch|schwerhörig|trocken|abstinent){E}"),
    ("name", "slot", "has_condition", "hab| hat |leide", r"(?:(?P<me>ich) (?:habe?|leide (?:an|unter))|{S} (?:hat|leidet (?:an|unter))) (?:ne |nen |eine |einen |ein |starke |leichte |chronische |auch |leider )*(?P<o>asthma|diabetes|migräne|zöliakie|epilepsie|schlafstörungen|heuschnupfen|[a-zäöüß]+(?:allergie|intoleranz|unverträglichkeit|phobie)|bluthochdruck|arthrose|arthritis|reflux|schuppenflechte|legasthenie|tinnitus|adhs|depressionen?|rückenprobleme|flugangst|höhenangst|platzangst|neurodermitis|endometriose|bandscheibenvorfall){E}"),
    ("name", "slot", "does_not_eat", "esse kein|isst kein|vertrag|keinen|kein", rf"(?:(?P<me>ich) (?:esse|vertrage)|{{S}} (?:isst|verträgt)) (?:eigentlich |gar |überhaupt |auch |leider )?keine?n? (?P<o>(?!(?:mehr|bissen)\b)[\w' -]{{3,40}}?)(?: mehr)?{_STOP}"),
    ("name", "slot", "does_not_drink", "trink", rf"(?:(?P<me>ich) trinke|{{S}} trinkt) (?:eigentlich |gar |überhaupt |auch )?keine?n? (?P<o>[\w' -]{{3,40}}?)(?: mehr)?{_STOP}"),
    ("name", "slot", "does_not_drink:alcohol", "trink", rf"(?:(?P<me>ich) trinke|{{S}} trinkt) (?:nicht|nichts)(?: mehr)?{_STOP}"),
    ("name", "slot", "gave_up:smoking", "rauch", r"(?:(?P<me>ich) (?:rauche nicht mehr|hab(?:e)? (?:mit dem rauchen aufgehört|aufgehört zu rauchen))|{S} (?:raucht nicht mehr|hat mit dem rauchen aufgehört)){E}"),
    ("name", "slot", "does_not:smoke", "rauch", rf"(?:(?P<me>ich) rauche|{{S}} raucht) nicht{_STOP}"),
    ("name", "slot", "gave_up", "aufgehört", r"(?P<me>ich) hab(?:e)? (?:mit (?:dem |der )?(?P<o>[\w-]{3,25}) aufgehört|aufgehört,? (?P<o2>[\w ]{3,20}) zu \w+){E}"),
    ("name", "slot", "afraid_of", "angst", r"(?:(?P<me>ich) hab(?:e)?|{S} hat) (?:große |total |ziemliche |ziemlich |echt )*(?:angst vor (?:der |dem |den )?(?P<o>fliegen|höhen?|spinnen|schlangen|hunden|spritzen|nadeln|dunkelheit|dunkeln|wasser|aufzügen|gewitter|mäusen|ratten|zahnarzt|blut|autofahren|bienen|wespen)){E}"),
    ("name", "slot", "lives_in", "wohn|leb|gezogen|zogen", rf"(?:(?:(?P<me>ich) (?:wohne|wohn|lebe)|(?P<me>wir) (?:wohnen|leben)|{{S}} (?:wohnt|lebt)){_SINCE} (?:in|bei|nahe|in der nähe von) {{PLACE}}{{E}}|(?:(?P<me>ich) bin|(?P<me>wir) sind|{{S}} ist)(?: \w+){{0,3}}? nach {{PLACE}} (?:um)?gezogen{{E}}|(?:(?P<me>ich) bin|(?P<me>wir) sind)(?: \w+){{0,3}}? (?:um)?gezogen,? (?:und zwar )?nach {{PLACE}}{{E}}|{_SINCE.strip()} ?(?:wohne|lebe|wohnen|leben) (?P<me>ich|wir)(?: \w+)? in {{PLACE}}{{E}}|(?:wohne|lebe){_SINCE} in {{PLACE}}{{E}})"),
    ("name", "slot", "from", "aufgewachsen|geboren|komm", r"(?P<me>ich) (?:bin in {PLACE} (?:aufgewachsen|geboren|groß geworden)|stamme aus {PLACE}|komm(?:e)? (?:eigentlich |gebürtig |ursprünglich )?aus {PLACE}){E}"),
    ("name", "slot", "moving_to", "ziehe|ziehen", r"(?:(?P<me>ich) ziehe?|(?P<me>wir) ziehen|{S} zieht)(?: \w+){0,3}? nach {PLACE}(?: um)?{E}"),
    ("name", "slot", "works_at", "arbeit|angefangen|eingestellt|angestellt", rf"(?:(?:(?P<me>ich) arbeite?|{{S}} arbeitet){_SINCE}(?: \w+){{0,2}}? (?:bei|für) (?:der |dem )?{{NAME}}(?: als (?P<job>[\w -]{{4,30}}?))?{{E}}|(?P<me>ich) (?:hab(?:e)?|bin)(?: \w+){{0,2}}? bei {{NAME}} (?:angefangen|eingestellt worden|angestellt){{E}})"),
    ("name", "slot", "occupation", "ich bin|arbeit|ist |von beruf", rf"(?:(?:(?P<me>ich) arbeite?|{{S}} arbeitet){_SINCE} als (?P<o>(?!(?:ob|wenn|gedacht|erwartet)\b)[\w-]{{4,30}}){{E}}|(?:(?P<me>ich) bin|{{S}} ist){_SINCE} (?:eine? |von beruf |gelernte[r]? )?(?P<o>{_JOB})(?: von beruf)?(?=\s*(?:$|[.,;!]| (?:in|bei|an|und|aber|für|im|am|aus)\b)))"),
    ("name", "slot", "plays", "spiel", rf"(?:(?P<me>ich) spiele?|{{S}} spielt){_SINCE} (?P<o>{_PLAYED}){{E}}"),
    ("name", "slot", "practises", "mach|treib", rf"(?:(?P<me>ich) mache?|{{S}} macht){_SINCE} (?P<o>{_PRACTICE}){{E}}"),
    ("name", "slot", "learning", "lern", rf"(?:(?P<me>ich) lerne?|{{S}} lernt){_SINCE} (?P<o>(?!(?:für|viel|nie|immer|dass|gern|von)\b)[\w]{{4,20}}(?: spielen)?){{E}}"),
    ("name", "slot", "drives", "fahre", r"(?P<me>ich) fahre? (?:jetzt )?(?P<o>eine?n? (?:alten |neuen |alte )?(?:vw|audi|bmw|mercedes|opel|ford|skoda|seat|toyota|tesla|renault|fiat|polo|golf|passat|volvo|mazda|honda|dacia)(?: [\w-]+)?){E}"),
    ("name", "slot", "lacks", "kein", r"(?P<me>ich) hab(?:e)? (?:leider |gar )?keine?n? (?P<o>auto|führerschein|fernseher|spülmaschine|backofen|balkon|garten|fahrrad|handy|reisepass|aufzug|drucker|beamer){E}"),
    ("name", "slot", "supports", "fan", r"(?P<me>ich) bin (?:ein )?(?:großer )?(?:fan (?:von|vom) (?P<o>{N})|(?P<o2>{N})-?fan){E}"),
    ("name", "slot", "age", "ich bin", r"(?P<me>ich) bin (?:jetzt |gerade |schon )?(?P<o>[1-9]\d)(?: geworden)?(?=\s*(?:$|[.,;!]| (?:und|aber)\b))"),
    ("preference", "slot", "prefers", "lieber|wäre mir", r"mir (?:ist|wäre|sind) (?P<o>[\w`'./@:+ -]{3,60}?) (?:lieber|am liebsten){E}"),
    ("preference", "free", "Preference: {o}", "duz|siez|vermeide|keine|wenn du mir|in deinen antworten|mit mir", r"(?!.*\b(?:diesmal|dieses mal|heute|fürs erste|in diese)\b)(?:bitte )?(?P<o>(?:duz|siez)e? mich|(?:vermeide|verwende|benutze?|nutze|schreib(?:e)?|antworte|keine)\b.{3,70}? (?:wenn du mir (?:schreibst|antwortest)|in deinen antworten|mit mir)\b.{0,30}?)\s*$"),
    ("routine", "routine", "routine", _DAYS, r"{WHEN},? (?P<o>" + _VERB + r") (?:ich|wir)(?: immer| meistens| normalerweise)?(?P<rest> [\w`'./@: -]{2,80}?){X}"),
    ("routine", "routine", "routine", _DAYS, r"(?:ich|wir) (?P<o>" + _VERB + r")(?: immer| meistens| normalerweise)? {WHEN}(?: immer)?(?P<rest> [\w`'./@: -]{2,80}?)?{X}"),
    ("routine", "routine", "routine", _DAYS, r"(?:ich|wir) (?P<o>" + _VERB + r" [\w`'./@: -]{3,60}?) {WHEN}{X}"),
    ("routine", "routine", "routine", "normalerweise|meistens|in der regel", r"(?:normalerweise|meistens|in der regel) (?P<o>" + _VERB + r") (?:ich|wir)(?P<rest> [\w`'./@: -]{3,70}?){X}"),
    ("routine", "held_on", "held_on", "jede|immer|täglich", r"(?:das|der|die|unser|unsere|mein|meine) (?P<s>[\w-]*(?:stand-?up|daily|meeting|besprechung|retro|kurs|training|call|demo|backup|therapie|probe|stunde|markt)) (?:ist|findet|läuft)(?: um [\d:.]+(?: uhr)?)? (?P<o>(?:jede[nrs]? \w+|immer \w+s|täglich)(?: um [\d:.]+(?: uhr)?)?)(?: statt)?{E}"),
    ("decision", "free", "Decision: {o}", "wir bleiben|wir haben uns|wir setzen auf|wir behalten|wir verzichten|wir machen kein|wir steigen", r"(?P<o>(?:wir (?:setzen auf|behalten|verzichten auf|steigen (?:auf|um auf)|wechseln (?:auf|zu)|machen keine?n?|streichen)|ich bleibe bei|wir haben uns entschieden,|wir haben entschieden,)\b,? (?!(?:das|es|dabei|uns)\b)[\w`'\"#./@:+,() -]{2,110}?)\s*$"),
    ("decision", "free", "Decision: {o}", "entschieden", r"(?:wir haben uns|ich habe? mich) (?:dazu |dafür )?entschieden,? (?P<o>[\w`'\"#./@:+,() -]{6,120}?)\s*$"),
    ("decision", "free", "Convention: {o}", "in diesem|im projekt|im repo|in dieser", rf"(?:(?:in|für) (?:diesem|dieses|dieser) {_WORK},? (?P<o>(?:\w+ wir|verwenden?|nutzen?|keine?|immer|nie|nur|kommentare|commits|tests|alle)\b.{{3,90}}?)|(?P<o>(?:wir (?:nutzen|verwenden|schreiben|benutzen|rücken)|verwende|nutze|keine|nur|immer)\b .{{2,70}}? (?:in|für) (?:diesem|dieses|dieser) {_WORK}))\s*$"),
    ("correction", "free", "Lesson: {o}", "das problem war|die ursache war|die lösung war|auf die harte tour", r"(?:auf die harte tour gelernt:? |(?=das problem war|die ursache war|die lösung war))(?P<o>.{10,140}?)\s*$"),
    ("value", "value", "value", " ist |lautet|läuft|liegt|:", r"(?:der |die |das |unser |mein )?(?P<s>[\w-]*(?:nummer|ticket|server|datenbank|db|seite|api|dashboard|dienst|repo|staging|prod|wiki|app|schlüssel|raum|kennzeichen)) (?:ist|lautet|läuft|liegt|hört)(?: jetzt)?(?: auf| unter| in| auf port)? {VAL}{E}"),
    ("value", "event", "held_on", "termin|hochzeit|gespräch|prüfung|feier|konzert|flug|reise|ausflug|meeting|besprechung|party", rf"(?:der|die|das|mein|meine|unser|unsere) (?P<s>[\w-]*(?:termin|hochzeit|gespräch|prüfung|feier|konzert|flug|reise|ausflug|meeting|besprechung|party|konferenz))(?: \w+)? (?:ist|findet|wurde auf|ist jetzt|wird auf) (?:am |den )?(?P<o>{_DATE})(?: statt| verschoben)?{{E}}"),
)  # fmt: skip

MENTIONS = rows(
    ("name", "mention", "", "mein|unser", rf"(?:^|(?<=, )|\b(?:mit|von|für|bei|an|und|dass|zu) ){_MY} (?:kleine[rn]? |große[rn]? |neue[rn]? |liebe[rn]? |ältere[rn]? |jüngere[rn]? )?(?P<kin>{{ROLES}}),? (?P<kname>(?-i:(?:Herrn? |Frau |Dr\.? )?[A-ZÄÖÜ][\wäöüß-]+))(?=\s*(?:$|[.,;!?]| (?:und|ist|hat|wird|war|zieht|kommt|geht|macht|arbeitet|wohnt|lebt|heiratet|fängt|will|kann|muss|bekommt|studiert|spielt|fährt|findet|mag|hatte|wurde|zu|nach|in|am|im|ins|aus|auf|bei|einen|eine|ein|das|den|die|zum|zur)\b))(?! (?:hat|haben|hatte)\s*[,.])"),
    ("name", "pet", "has_pet", "mein|unser", rf"(?:^|(?<=, )|\b(?:mit|von|für|bei|und) ){_MY} {_PET},? (?P<name>(?-i:[A-ZÄÖÜ][\wäöüß-]+))(?=\s*(?:$|[.,;!?]| (?:und|ist|hat|wird|war|kommt|geht|macht|spazieren|zum|zur|raus|in|im|am|nach)\b))"),
)  # fmt: skip
BEFORE_NAME = r"\b(?:(?:wohne|lebe|wohnt|lebt|wohnen|leben) (?:jetzt |seit \w+ )?in |nach (?=\w+ (?:um)?gezogen)|hei(?:ß|ss)[et]? |nenn mich )(?P<n>(?!(?:der|die|das|dem|den|einer|einem|meiner|meinem|deutschland|nicht|so|auch|es|hause|miete|angst|frieden|nix|zwei|drei|jetzt)\b)[a-zäöüß]{3,})(?=\s*(?:$|[.,;!)]| (?:und|aber|seit|mit|weil|bei|jetzt|gezogen|umgezogen)\b))"
