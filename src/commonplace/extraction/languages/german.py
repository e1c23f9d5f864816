# ruff: noqa: E501 - a pattern reads better on one line
"""German."""

from commonplace.extraction.languages.german_everyday import BEFORE_NAME, EVERYDAY, FIRST, MENTIONS
from commonplace.extraction.languages.tables import Language, rows

_ROLES = {
    "cfo": "cfo", "ceo": "ceo", "cto": "cto", "finanzchef": "cfo", "finanzchefin": "cfo", "finanzvorstand": "cfo",
    "geschäftsführer": "ceo", "geschäftsführerin": "ceo", "chef": "boss", "chefin": "boss", "vorgesetzte": "boss",
    "vorgesetzter": "boss", "teamleiter": "boss", "teamleiterin": "boss", "frau": "wife", "ehefrau": "wife", "mann": "husband",
    "ehemann": "husband", "partner": "partner", "partnerin": "partner", "freundin": "girlfriend", "freund": "boyfriend",
    "mutter": "mother", "mama": "mother", "vater": "father", "papa": "father", "schwester": "sister", "schwestern": "sister",
    "bruder": "brother", "brüder": "brother", "sohn": "son", "söhne": "son", "tochter": "daughter", "töchter": "daughter",
    "kind": "child", "kinder": "child", "oma": "grandmother", "großmutter": "grandmother", "opa": "grandfather",
    "großvater": "grandfather", "tante": "aunt", "onkel": "uncle", "cousine": "cousin", "cousin": "cousin", "neffe": "nephew",
    "nichte": "niece", "bester freund": "friend", "beste freundin": "friend", "mitbewohner": "flatmate",
    "mitbewohnerin": "flatmate", "nachbar": "neighbour", "nachbarin": "neighbour", "kollege": "colleague",
    "kollegin": "colleague", "steuerberater": "accountant", "steuerberaterin": "accountant", "anwalt": "lawyer",
    "anwältin": "lawyer", "arzt": "doctor", "ärztin": "doctor", "hausarzt": "doctor", "hausärztin": "doctor",
    "zahnarzt": "dentist", "zahnärztin": "dentist", "vermieter": "landlord", "vermieterin": "landlord",
    "therapeut": "therapist", "therapeutin": "therapist", "assistentin": "assistant", "assistent": "assistant",
    "trainer": "coach", "trainerin": "coach", "tierarzt": "vet", "tierärztin": "vet", "friseur": "hairdresser",
    "eltern": "parents", "schwager": "in-law", "schwägerin": "in-law", "schwiegermutter": "in-law", "schwiegervater": "in-law",
    "schwiegereltern": "in-law", "ex": "ex", "exfrau": "ex", "exmann": "ex", "enkel": "grandson", "enkelin": "granddaughter", "physiotherapeut": "physiotherapist",
    "physiotherapeutin": "physiotherapist", "zwillinge": "child", "verlobte": "partner", "verlobter": "partner", "lebensgefährtin": "partner",
    "lehrer": "teacher", "lehrerin": "teacher", "kunde": "customer", "kundin": "customer",
}  # fmt: skip

_DAY = r"(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)"
_OFTEN = (
    rf"(?P<when>(?:jede[nsr]?) (?:tag|morgen|abend|woche|monat|jahr|{_DAY}|wochenende)(?:(?:morgen|abend|vormittag|nachmittag)|"
    rf" (?:morgen|abend|vormittag|nachmittag))?(?: um [\d:.]+(?: uhr)?)?|(?:ein|zwei|drei|\d)mal (?:pro|die|am|in der|im) (?:woche|tag|monat|jahr)|am wochenende|(?:immer )?{_DAY}s und {_DAY}s|(?:immer )?{_DAY}s(?: (?:morgens|abends|vormittags|nachmittags))?"
    rf"(?: um [\d:.]+(?: uhr)?)?)"
)
_MY = r"(?:mein|unser)(?:e|er|en|em|es)?"
_NOT = r"(?!(?:es|das|dass|wenn|wie|dein\w*|diese Idee|dich|sie|ihn)\b)"
_KINDS = (
    r"(?:ein(?:e)? )?(?:\w+)?(?:ingenieur(?:in)?|entwickler(?:in)?|krankenpfleger(?:in)?|krankenschwester|lehrer(?:in)?|arzt|ärztin|"
    r"anwalt|anwältin|architekt(?:in)?|journalist(?:in)?|fotograf(?:in)?|koch|köchin|programmierer(?:in)?|designer(?:in)?|"
    r"student(?:in)?|musiker(?:in)?|berater(?:in)?|elektriker(?:in)?|schreiner(?:in)?|übersetzer(?:in)?)"
)

_RULES = rows(
    ("retraction", "forget", "", "vergiss|lösche|streich",
     r"(?:bitte )?(?:vergiss|lösche|streich(?:e)?) (?:bitte )?(?:(?P<that>das|alles|was ich (?:gerade |eben )?(?:gesagt|geschrieben) habe)(?: (?:über|zu) (?P<about>[^.;!?]{2,60}))?(?: bitte| wieder)?(?=$|[.!,])|,? ?dass (?P<clause>(?:ich|mein|meine)\b.{3,80}))"),
    ("retraction", "nothing", "", "versprochen|geirrt|stimmt nicht|mein fehler|vertan", r"(?:sorry[, ]+|entschuldigung[, ]+)?(?:ich habe mich (?:versprochen|geirrt|vertan)|mein fehler|das stimmt nicht)\b"),
    ("retraction", "lack", "", "keine", r"(?:eigentlich )?ich habe (?:eigentlich |gar )?keine?n? (?P<kin>{KIN})(?: mehr)?{E}"),
    ("retraction", "ended", "lives_in", "nicht|früher",
     r"(?:(?:(?P<me>ich) (?:wohne|lebe)|{S} (?:wohnt|lebt)) (?:nicht|(?P<anymore>nicht mehr)) in {PLACE}{E}|(?:früher (?:wohnte|lebte) (?P<me>ich)|(?P<me>ich) (?:wohnte|lebte|habe) früher) in {PLACE}(?: gewohnt| gelebt)?{E})"),
    ("retraction", "ended", "works_at", "nicht mehr|nicht bei|nicht für", r"(?:(?P<me>ich) arbeite|{S} arbeitet) (?:nicht|(?P<anymore>nicht mehr)) (?:bei|für) {NAME}{E}"),
    ("retraction", "ended", "likes", "nicht mehr", r"(?P<me>ich) mag (?:(?P<o>[\w' -]{2,40}?) nicht mehr|kein(?:e|en)? (?P<o>[\w' -]{2,40}?) mehr){E}"),
    ("retraction", "ended", "diet", "nicht mehr|kein", r"(?P<me>ich) bin (?:nicht mehr|kein(?:e)?) (?P<o>vegan|vegetarisch|vegetarier(?:in)?|veganer(?:in)?)(?: mehr)?{E}"),
    ("retraction", "ended_role", "", "nicht mehr", r"(?P<name>{N}) ist nicht mehr " + _MY + r" {ROLE}{E}"),
    ("correction", "meant", "", "meinte|gemeint", r"(?:(?:nein|sorry|entschuldigung|moment|halt)[,:;. ]+)*ich meinte (?P<new>[^,.;!?]{1,60}?)(?:,? (?:und )?nicht (?P<old>[^,.;!?]{1,60}?))?\s*$"),
    ("correction", "instead", "", "wechseln", r"(?:wir wechseln|wechseln wir|lass(?:t)? uns) von (?P<old>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?) (?:zu|auf) (?P<new>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?)(?: wechseln)?{E}"),
    ("correction", "instead", "", "nimm|benutz|verwende|nutze|nehmen wir", r"(?:(?:nein|eigentlich|bitte)[,:]? )*(?:nimm|benutze?|verwende|nutze|nehmt|nehmen wir) (?:bitte )?(?P<new>[\w`'./@:+ -]{1,50}?),? (?:und nicht|nicht|statt|anstatt|anstelle von) (?P<old>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?){E}"),
    ("correction", "free", "Lesson: {o}", "gelernt|herausgestellt|lektion", r"(?:gelernt|lektion|es hat sich herausgestellt, dass),?:? (?P<o>.{8,140}?)\s*$"),
    ("name", "core", "name", "heiße|heisse|mein name", r"(?:ich hei(?:ß|ss)e|mein name ist) {NAME}{E}"),
    ("name", "core", "called", "nenn mich", r"nenn(?:t)? mich (?:bitte |einfach )?{NAME}{E}"),
    ("name", "core", "born_on", "geburtstag|geboren", r"(?:mein geburtstag ist(?: am)?|ich habe am|ich bin am|ich wurde am) (?:der |dem )?(?P<o>\d{1,2}\. ?(?:[A-Za-zä]+|\d{1,2}\.)(?: ?\d{4})?)(?: geboren| geburtstag)?{E}"),
    ("name", "core", "email", "mail", r"meine (?:e-?mail|mail)(?:-?adresse)?(?: ist| lautet|:) (?P<o>[\w.+-]+@[\w-]+(?:\.[\w-]+)+){E}"),
    ("name", "slot", "lives_in", "wohn|leb|gezogen|umgezogen",
     r"(?:(?:(?P<me>ich) (?:wohne|lebe)|{S} (?:wohnt|lebt))(?: jetzt| inzwischen| nun| seit (?:\d{4}|letztem \w+))? in {PLACE}{E}|(?:(?P<me>ich) bin|{S} ist)(?: gerade| jetzt| vor kurzem| letzten \w+| letzte \w+)? nach {PLACE} (?:um)?gezogen{E}|(?:jetzt|seit (?:\d{4}|letztem \w+)) (?:wohne|lebe) (?P<me>ich) in {PLACE}{E})"),
    ("name", "slot", "staying_in", "bin ", r"(?:(?P<me>ich) bin (?:bis (?P<until>[\w. ]{3,20}) )in {PLACE}{E}|(?P<me>ich) bin in {PLACE}(?=,? bis))"),
    ("name", "slot", "from", "komm", r"(?:(?P<me>ich) komme|{S} kommt)(?: ursprünglich)? aus {PLACE}{E}"),
    ("name", "have_kin", "", "ich habe", r"ich habe (?P<count>eine |einen |ein |zwei |drei )(?:kleine |große |kleinen |großen |ältere |älteren |jüngere |jüngeren )?(?P<kin>{KIN})(?:,? (?:namens|die|der) (?P<kname>{N})(?: heißt)?)?(?: in {PLACE})?{E}"),
    ("name", "pet", "has_pet", "hund|katze|kater|hase", r"(?:ich habe|wir haben) (?P<o>(?:einen |eine |ein |zwei )(?:hund|katze|kater|kaninchen|hase|hunde|katzen)(?: namens {N})?){E}"),
    ("name", "kin_name", "", "heißt|heisst", _MY + r" (?:neue[r]? |kleine[r]? |große[r]? )?{ROLE} hei(?:ß|ss)t (?P<name>{N}){E}"),
    ("name", "project_role", "", " ist ", r"(?P<name>{N}) ist (?:der |die |das )?(?P<role>pm|projektleiter(?:in)?|product owner|projektmanager(?:in)?|verantwortliche[r]?|entwickler(?:in)?|designer(?:in)?|sponsor(?:in)?|tech lead|ansprechpartner(?:in)?) (?:im|vom|von|für das|für|bei|beim) (?P<project>(?:projekt )?{N}){E}"),
    ("name", "slot", "occupation", "ich bin|arbeite als| ist ", r"(?:(?P<me>ich) (?:bin|arbeite als)|{S} (?:ist|arbeitet als)) (?P<o>" + _KINDS + r"){E}"),
    ("name", "role", "", " ist ", _MY + r" (?:neue[r]? |kleine[r]? |große[r]? )?{ROLE} ist (?:jetzt )?(?P<name>{N}){E}"),
    ("name", "role", "", " ist ", r"(?P<name>{N}) ist " + _MY + r" (?:neue[r]? )?{ROLE}{E}"),
    ("name", "slot", "reports_to", "berichte", r"(?:(?P<me>ich) berichte|{S} berichtet) an (?P<o>{N}){E}"),
    ("name", "slot", "works_at", "arbeit", r"(?:(?P<me>ich) arbeite|{S} arbeitet)(?: jetzt| seit \w+| inzwischen)? (?:bei|für) (?:der |dem )?{NAME}{E}"),
    ("name", "slot", "works_on", "arbeit", r"(?:(?P<me>ich) arbeite|{S} arbeitet)(?: gerade)? (?:am|an) (?P<o>projekt (?-i:[A-Z])[\w-]*){E}"),
    ("name", "slot", "speaks", "sprech|spricht", r"(?:(?P<me>ich) spreche|{S} spricht) (?P<o>(?:deutsch|englisch|französisch|italienisch|spanisch|portugiesisch|russisch|chinesisch|japanisch|arabisch|türkisch|polnisch)(?:(?:, | und )(?:deutsch|englisch|französisch|italienisch|spanisch|portugiesisch|russisch|chinesisch|japanisch|arabisch|türkisch|polnisch))*){L}"),
    ("name", "slot", "diet", "vegan|vegetari", r"(?:(?P<me>ich) bin(?: jetzt)?|{S} ist) (?P<o>vegan|vegetarisch|vegetarier(?:in)?|veganer(?:in)?){E}"),
    ("name", "slot", "allergic_to", "allergisch", r"(?:(?P<me>ich) bin|{S} ist) (?:stark )?allergisch (?:gegen|auf) (?P<o>[\w ,]{3,50}?){L}"),
    ("name", "slot", "favourite", "lieblings", r"(?P<me>mein)e? lieblings(?P<what>\w+) ist (?:der |die |das )?(?P<o>[\w' .-]{2,40}?){E}"),
    ("name", "age", "age", "jahre alt", r"(?:(?P<me>ich) bin|{S} ist) (?P<o>\d{1,3}) jahre alt{E}"),
    ("preference", "slot", "dislikes", "hasse|mag kein|nicht ausstehen|mag ", r"(?:(?P<me>ich) (?:hasse|verabscheue) (?P<o>" + _NOT + r"[\w', -]{2,60}?){L}|(?P<me>ich) mag kein(?:e|en)? (?P<o>[\w', -]{2,60}?){L}|(?P<me>ich) mag (?P<o>" + _NOT + r"[\w' -]{2,40}?) (?:überhaupt |gar )?nicht{E})"),
    ("preference", "slot", "likes", "mag |liebe ", r"(?P<me>ich) (?:mag|liebe) (?:sehr )?(?P<o>" + _NOT + r"(?!.*\bnicht\b)[\w', -]{2,60}?){L}"),
    ("preference", "slot", "prefers", "bevorzug|lieber", r"(?:(?P<me>ich) bevorzuge|{S} bevorzugt) (?P<o>[\w`'./@:+ -]{2,70}?){E}"),
    ("preference", "slot", "prefers", "lieber", r"(?P<me>ich) (?:trinke|esse|nutze|benutze|arbeite|nehme|fahre|mag|habe) lieber (?P<o>[\w`'./@:+ -]{2,70}?){E}"),
    ("preference", "free", "Preference: {o}", "immer", r"(?:bitte )?(?P<o>(?:verwende|benutze?|nutze|schreib(?:e)?|antworte|füge|prüfe|frag(?:e)?|nimm|mach(?:e)?) (?:bitte )?immer .{3,100}?)\s*$"),
    ("preference", "free", "Preference: {o}", "nie", r"(?:bitte )?(?P<o>(?:verwende|benutze?|nutze|schreib(?:e)?|lösche|ändere|pushe|committe|mach(?:e)?|antworte|nimm) (?:bitte )?(?:nie|niemals) .{3,100}?)\s*$"),
    ("preference", "free", "Preference: {o}", "ab jetzt|von nun an|ab sofort|in zukunft", r"(?:ab jetzt|von nun an|ab sofort|in zukunft),? (?:bitte )?(?P<o>(?!\w+ ich\b).{6,110}?)\s*$"),
    ("routine", "held_on", "held_on", "jede|immer|verschoben", r"(?:das|der|die|unser|unsere) (?P<s>(?:[\w-]*(?:stand-?up|daily|meeting|besprechung|retro|retrospektive|kurs|training|call|demo|termin))) (?:ist|findet|wurde auf|ist jetzt|wird auf) (?P<o>(?:jede[nr]? |immer )?" + _DAY + r"s?(?: um [\d:.]+(?: uhr)?)?)(?: statt| verschoben)?{E}"),
    ("routine", "routine", "routine", "jede|montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags", r"{WHEN},? (?P<o>(?:gehe|mache|laufe|schwimme|spiele|koche|schicke|schreibe|prüfe|rufe|haben|machen|arbeite|putze|esse|bringe|lese|lerne|deployen|fahre|trainiere|treffe)) (?:ich|wir)(?P<rest> [\w`'./@: -]{2,80}?)?{X}"),
    ("routine", "routine", "routine", "jede|montags|dienstags|mittwochs|donnerstags|freitags|samstags|sonntags", r"(?:ich|wir) (?P<o>(?:gehe|mache|laufe|schwimme|spiele|koche|schicke|schreibe|prüfe|rufe|haben|machen|arbeite|putze|esse|bringe|lese|lerne|deployen|fahre|trainiere|treffe)) {WHEN}(?P<rest> [\w`'./@: -]{2,80}?)?{X}"),
    ("priority", "free", "Blocking: {o}", "blockier", r"(?P<o>(?:der|die|das) [\w`#./' -]{2,50}? (?:blockiert|blockieren) [\w`'#./ -]{3,70}?)\s*$"),
    ("priority", "free", "Priority: {o} first", "zuerst", r"(?:bitte )?(?:(?:behebe|beheb|mach|fixe|repariere|erledige) (?:bitte )?zuerst (?P<o>[\w`'#./ -]{3,60}?)|zuerst (?:bitte )?(?P<o>(?:der|die|das|den) [\w`'#./ -]{3,60}?)){E}"),
    ("priority", "free", "Priority: {o}", "priorität|vorrang", r"(?:(?:die|unsere|meine) (?:höchste |oberste )?priorität(?: jetzt)? (?:ist|hat) (?P<o>.{3,90}?)|(?P<o>(?:der |die |das )[\w`'#./ -]{3,50}?) (?:hat|haben) (?:höchste |oberste )?(?:priorität|vorrang))\s*$"),
    ("decision", "free", "Decision: {o}", "nehmen wir|wir nehmen|lass uns|bleiben wir|wir bleiben|überspringen|wir gehen mit|wir verwenden|wir verschieben", r"(?P<o>(?:nehmen wir|wir nehmen|lass(?:t)? uns|bleiben wir bei|wir bleiben bei|wir gehen mit|wir verwenden ab jetzt|wir verschieben|wir überspringen|überspringen wir)\b (?!mal (?:sehen|schauen))[\w`'\"#./@:+,() -]{2,110}?)\s*$"),
    ("decision", "free", "Decision: {o}", "entschieden|entscheidung|beschlossen", r"(?:(?:wir haben|ich habe) (?:uns |mich )?(?:entschieden|beschlossen)[,:]? (?P<o>.{4,120}?)|(?:wir haben uns|ich habe mich) (?P<o>für .{3,90}?) entschieden|(?:die )?entscheidung(?: ist|:) (?P<o>.{4,120}?))\s*$"),
    ("decision", "free", "Decision: skip {o}", "überspring", r"(?:bitte )?überspring(?:e)? (?:bitte )?(?P<o>(?:den|die|das) [\w`'#./ -]{2,70}?)(?: erstmal| vorerst)?\s*$"),
    ("architecture", "free", "Architecture: {o}", "wir sollten|wir müssen", r"wir (?:sollten|müssen) (?P<o>(?!nicht\b|uns\b|mal\b|reden\b)[\w`'\"#./@:+,() -]{3,90}? (?:verwenden|nutzen|benutzen|einsetzen|nehmen|speichern|trennen|vermeiden|behalten))\s*$"),
    ("architecture", "free", "Architecture: {o}", "kein", r"(?:bitte )?(?P<o>(?:füge?|verwende|benutze?|nutze|installiere|baue?|führe|erstelle) (?:bitte )?keine?n? .{2,110}?)\s*$"),
    ("value", "value", "value", " ist |lautet|:", r"(?:der|die|das)? ?(?:unser |mein )?(?P<s>[\w-]*(?:url|endpoint|endpunkt|branch|port|version|host|domain|bucket|repo|repository|id|ticket|timeout|limit|region|pfad|ordner|datenbank|kanal|tag|budget)(?: (?:für|von|vom|der|des) [\w-]+)?)(?: ist| lautet| heißt|:) (?:jetzt )?{VAL}{E}"),
    ("value", "due", "due_on", "abgabe|frist|deadline|release|launch", r"(?:der|die) (?P<s>(?:abgabe|abgabefrist|frist|deadline|release|launch|abgabetermin)(?: (?:für|von|des|der) [\w ]{2,30})?) ist (?:am |auf |bis )*(?P<o>(?:nächsten )?" + _DAY + r"|\d{1,2}\. ?[A-Za-zä]+(?: \d{4})?|\d{4}-\d{2}-\d{2}){E}"),
)  # fmt: skip

_KEPT = rows(
    ("name", "kept", "", "merk dir|denk daran|denk dran|beachte|vergiss nicht", r"(?P<o>.{6,140}?)\s*$"),
)  # fmt: skip

GERMAN = Language(
    code="de",
    rules=FIRST + _RULES + EVERYDAY + _KEPT,
    mentions=MENTIONS,
    before_name=BEFORE_NAME,
    common=frozenset(
        "ich der das und ist nicht mein meine meinen wir unser unsere ein eine einen jeden jede wohne lebe arbeite mag liebe hasse "
        "bevorzuge verwende nimm bitte schwester bruder frau mann sollten heiße immer nie vergiss meinte zuerst für mit auf bei "
        "bin habe keine kein spreche nach gezogen zu den dem von dass weil auch ihr sie er es uns nehmen entschieden jetzt "
        "statt benutze nutze früher merk danke heute morgen wird wurde sind hat haben nein komme lautet hab heißt spiele esse trinke rauche mache fahre lerne hund katze tochter sohn töchter seit mehr keinen "
        "im am in diesem projekt bleiben montags dienstags mittwochs donnerstags freitags samstags sonntags dann aber nur noch schon über".split()
    ),
    roles=_ROLES,
    often=_OFTEN,
    possessive=r"(?P<me>mein)e?",
    subject=r"(?:"
    + _MY
    + r" (?:kleine[r]? |große[r]? |ältere[r]? |jüngere[r]? |neue[r]? )?(?P<kin>{ROLES})(?:,? (?P<kname>{N}),?)?|(?P<who>{N}))",
    opening=r"(?:ok(?:ay)?|ah|ach|ach ja|ach so|moment|nee|ne|sorry|na ja|naja|btw|jedenfalls|hör mal|kleine info|fyi|nebenbei|zur erinnerung|puh|also|nun|gut|außerdem|auch|und|aber|dann|oh|hallo|hi|ja|nein|klar|danke|übrigens|nur zur info|zur info|hinweis|(?:merk dir|denk daran|denk dran|beachte|vergiss nicht)(?:,? (?:bitte,? )?dass)?|eigentlich|tatsächlich|ich glaube,?|ich denke,?|gestern|heute)[,:.!;—–-]* +",
    conjunction="und",
    speaker="ich|wir",
    verbs="komme|wohne|lebe|arbeite|studiere|spreche|spiele|habe|fahre|liebe|mag|hasse|trinke|esse|sammle",
    ends=r"also|im (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|frühling|sommer|herbst|winter)|in|aus|denn|aber|seit|jetzt|mit|weil|für|bis|nahe|bei|als|wo|der|die|das|auch|wieder|wenn|letzten|letzte|diese|schon|zusammen|dauerhaft|gestern|vor|zurzeit|momentan|inzwischen|an|um|statt|im|und zwar",
    joints=r"(?:[,;]|\s+[—–-])?\s+(?:und|aber|denn|doch)(?:\s+(?:auch|dann|jetzt))?\s+(?=(?:ich|wir|mein|meine|unser|unsere|bitte|nimm|verwende|(?:der|die|das)(?= [\w ]{1,25} ist\b)|füge)\b)|,\s+(?=weiß nicht\b|keine ahnung\b)|[;]\s+|\s+[—–]\s+|,\s+(?=(?:ich|wir|mein|meine|unser)\b)",
    unsure=r"\b(?:wenn|falls|würden?|wäre|hätten?|möchte (?:gern )?(?:nach|in)|stell dir vor|angenommen|nehmen wir an|hypothetisch|theoretisch|eines tages|traum|geträumt|zum beispiel|z\.b\.|am liebsten würde)\b",
    doubt=r"\b(?:vielleicht|eventuell|könnten?|weiß nicht|nicht sicher|wahrscheinlich|scheint|anscheinend|fast|beinahe|hoffe|überlege|überlegen|frage mich|irgendwann|möglicherweise)\b",
    reported=r"\b(?:(?-i:[A-ZÄÖÜ])\w+|er|sie|(?:mein|meine|der|die|ein|eine) [\w' ]{2,30}) (?:hat (?:mir )?(?:gesagt|geschrieben|erzählt)|sagt|sagte|sagen|meint|denkt|glaubt|behauptet|schreibt|schrieb|empfiehlt|schlägt vor|will, dass)\b|\blaut \w+|, (?:sagte|sagt|meinte|rief|schrieb) (?:der|die|das|er|sie|ein|eine|mein|meine|(?-i:[A-Z]\w+))\b",
    joking=r"\b(?:nur spaß|war nur spaß|scherz|kleiner scherz|ich mache witze|nur ein witz|haha+|hehe+|lol|ja klar, sicher)\b|[😂🤣😜😝🙃🙄😏]",
    fiction=r"^[^\w\n]{0,20}(?:(?:bitte|kannst du|könntest du|hilf mir)[, ]+)*(?:(?:schreib(?:e)?|verfasse|formuliere)(?: mir)?(?: bitte)? (?:einen?|eine|das|die|den|zwei|drei) (?:\w+ ){0,2}(?:e-?mail|mail|brief|geschichte|gedicht|lied|nachricht|post|tweet|aufsatz|rede|artikel|satz|sätze|text|antwort|biografie|witz)|übersetze?|korrigiere|formuliere|fasse|tu so|vervollständige)\b|\b(?:im (?:roman|film|buch|spiel)|in der geschichte|in meinem (?:roman|buch)|meine figur|die hauptfigur|der protagonist|die protagonistin|es war einmal)\b",
    insists=r"\b(?:merk dir|denk daran|denk dran|beachte|vergiss nicht),? (?:bitte,? )?dass\b|^merk dir:",
    misspoke=r"\b(?:ich habe mich (?:versprochen|geirrt|vertan)|mein fehler|das stimmt nicht|das war falsch|korrektur)\b",
    pronouns=frozenset("das dies dieses es diese dieser alles nichts so etwas sie ihn was".split()),
    not_names=frozenset(
        "ich du er sie es wir ihr das dies dieser diese der die den dem ein eine mein meine unser alle niemand jemand was wer wo "
        "wann wie warum heute morgen gestern ja nein ok auch dann wenn aber und oder montag dienstag mittwoch donnerstag freitag "
        "samstag sonntag jeder jede jeden man leben zeit das hier dort hund katze projekt wetter essen vegetarier vegetarierin veganer veganerin italiener italienerin deutscher deutsche österreicher "
        "österreicherin franzose französin spanier spanierin schweizer schweizerin engländer amerikaner student studentin rentner "
        "rentnerin beamter single chef boss lehrer lehrerin arzt ärztin ingenieur ingenieurin entwickler entwicklerin".split()
    ),
)
