# ruff: noqa: E501 - a pattern reads better on one line
"""French."""

from commonplace.extraction.languages.french_everyday import BEFORE_NAME, EVERYDAY, FIRST, MENTIONS
from commonplace.extraction.languages.tables import Language, rows

_ROLES = {
    "cfo": "cfo", "ceo": "ceo", "cto": "cto", "directeur financier": "cfo", "directrice financière": "cfo", "daf": "cfo",
    "pdg": "ceo", "chef": "boss", "cheffe": "boss", "patron": "boss", "patronne": "boss", "manager": "boss",
    "responsable": "boss", "femme": "wife", "épouse": "wife", "mari": "husband", "époux": "husband", "compagne": "partner",
    "compagnon": "partner", "copine": "girlfriend", "copain": "boyfriend", "petite amie": "girlfriend", "mère": "mother",
    "maman": "mother", "père": "father", "papa": "father", "sœur": "sister", "soeur": "sister", "sœurs": "sister",
    "soeurs": "sister", "frère": "brother", "frères": "brother", "fils": "son", "fille": "daughter", "filles": "daughter",
    "enfant": "child", "enfants": "child", "grand-mère": "grandmother", "grand-père": "grandfather", "tante": "aunt",
    "oncle": "uncle", "cousine": "cousin", "cousin": "cousin", "neveu": "nephew", "nièce": "niece", "ami": "friend",
    "amie": "friend", "meilleur ami": "friend", "meilleure amie": "friend", "colocataire": "flatmate", "coloc": "flatmate",
    "voisin": "neighbour", "voisine": "neighbour", "collègue": "colleague", "comptable": "accountant", "avocat": "lawyer",
    "avocate": "lawyer", "médecin": "doctor", "docteur": "doctor", "dentiste": "dentist", "propriétaire": "landlord",
    "psy": "therapist", "thérapeute": "therapist", "assistante": "assistant", "assistant": "assistant", "entraîneur": "coach",
    "coach": "coach", "vétérinaire": "vet", "coiffeur": "hairdresser", "prof": "teacher", "professeure": "teacher",
    "professeur": "teacher", "cliente": "customer", "client": "customer", "notaire": "notary", "parents": "parents", "beau-frère": "in-law", "belle-sœur": "in-law", "belle-mère": "in-law",
    "beau-père": "in-law", "ex": "ex", "ex-femme": "ex", "ex-mari": "ex", "kiné": "physiotherapist", "nounou": "nanny", "jumeaux": "child", "jumelles": "child",
    "fiancée": "partner", "fiancé": "partner", "conjoint": "partner", "conjointe": "partner",
}  # fmt: skip

_DAY = r"(?:lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?)"
_OFTEN = (
    rf"(?P<when>(?:chaque|tous les|toutes les) (?:jours?|matins?|soirs?|semaines?|mois|ans?|année|{_DAY}|week-ends?)"
    rf"(?: (?:matin|après-midi|soir)s?)?(?: à [\dh:]+)?|(?:une|deux|trois|\d) fois par (?:semaine|jour|mois|an)|le {_DAY} et (?:le )?{_DAY}|le {_DAY}(?: (?:matin|après-midi|soir))?(?: à [\dh:]+)?)"
)
_NOT = r"(?!(?:que|ta|ton|tes|votre|vos|quand|comment|ça|cela|cette idée|ce|l'idée)\b)"
_IN = r"(?:à|en|au|aux)"

_RULES = rows(
    ("retraction", "forget", "", "oublie|efface|oubliez",
     r"(?:s'il te plaît |stp )?(?:oublie|efface|oubliez) (?:(?P<that>ce que (?:j'ai|je viens de) (?:dit|dire)|ça|cela|tout ça)(?: (?:sur|à propos de) (?P<about>[^.;!?]{2,60}))?(?=$|[.!,])|que (?P<clause>(?:je|j'|mon|ma)\b.{3,80}))"),
    ("retraction", "forget", "", "laisse tomber", r"(?P<that>laisse tomber)(?=$|[.!,])"),
    ("retraction", "nothing", "", "trompé|erreur|pas vrai|mal exprimé", r"(?:pardon[, ]+|désolée?[, ]+)?(?:je me suis trompée?|mon erreur|erreur de ma part|ce n'est pas vrai|je me suis mal exprimée?)\b"),
    ("retraction", "lack", "", "pas de|plus de|pas d'", r"(?:en fait )?je n'ai (?:pas|plus) (?:de |d')(?P<kin>{KIN}){E}"),
    ("retraction", "ended", "lives_in", "habit|vis|vit",
     rf"(?:(?P<me>je (?:n'|ne )(?:habite|vis))(?: pas|(?P<anymore> plus)) {_IN} {{PLACE}}{{E}}|{{S}} (?:n'|ne )(?:habite|vit)(?: pas|(?P<anymore> plus)) {_IN} {{PLACE}}{{E}}|(?P<me>(?:avant,? )?(?:j'habitais|je vivais)) {_IN} {{PLACE}}{{E}})"),
    ("retraction", "ended", "works_at", "travaill", r"(?:(?P<me>je ne travaille)|{S} ne travaille)(?: pas|(?P<anymore> plus)) (?:chez|pour|à) {NAME}{E}"),
    ("retraction", "ended", "likes", "aime plus", r"(?P<me>je n'aime)(?P<must> plus) (?:le |la |les |l')?(?P<o>[\w' -]{2,40}?){E}"),
    ("retraction", "ended", "diet", "suis plus", r"(?P<me>je ne suis plus) (?P<o>végan|végane|végétarien(?:ne)?){E}"),
    ("retraction", "ended_role", "", "n'est plus", r"(?P<name>{N}) n'est plus (?:mon|ma|notre) {ROLE}{E}"),
    ("correction", "meant", "", "voulais dire|parlais de", r"(?:(?:non|pardon|désolée?|attends)[,:;. ]+)*je (?:voulais dire|parlais de) (?P<new>[^,.;!?]{1,60}?)(?:,? (?:et )?(?:pas|non) (?P<old>[^,.;!?]{1,60}?))?\s*$"),
    ("correction", "instead", "", "passons de|migrons de|on passe de", r"(?:passons|migrons|on passe) de (?P<old>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?) à (?P<new>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?){E}"),
    ("correction", "instead", "", "utilise|utilisons|utilisez|prends", r"(?:(?:non|en fait|plutôt|s'il te plaît)[,:]? )*(?:utilise|utilisons|utilisez|prends) (?P<new>[\w`'./@:+ -]{1,50}?),? (?:pas|et pas|au lieu de|plutôt que|à la place de) (?P<old>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?){E}"),
    ("correction", "free", "Lesson: {o}", "leçon|s'avère", r"(?:leçon apprise|il s'avère que),? ?:? (?P<o>.{8,140}?)\s*$"),
    ("name", "core", "name", "m'appelle|mon nom", r"(?:je m'appelle|mon nom est) {NAME}{E}"),
    ("name", "core", "called", "appelle-moi|appelez-moi", r"(?:appelle|appelez)-moi {NAME}{E}"),
    ("name", "core", "born_on", "anniversaire|née? le", r"(?:mon anniversaire est|je suis née?) le (?P<o>(?:\d{1,2}|1er) [a-zéû]+(?: \d{4})?){E}"),
    ("name", "core", "email", "mail|courriel", r"mon (?:adresse )?(?:e-?mail|mail|courriel)(?P<work> pro)?(?: est| :|:) (?P<o>[\w.+-]+@[\w-]+(?:\.[\w-]+)+){E}"),
    ("name", "slot", "lives_in", "habit|vis|vit|déménag|installé",
     rf"(?:(?P<me>(?:j'habite|je vis))(?: maintenant| désormais)? {_IN} {{PLACE}}{{E}}|{{S}} (?:habite|vit)(?: maintenant| désormais)? {_IN} {{PLACE}}{{E}}|(?P<me>(?:j'ai déménagé|je viens de déménager|je me suis installée?)) {_IN} {{PLACE}}{{E}}|{{S}} a déménagé {_IN} {{PLACE}}{{E}})"),
    ("name", "slot", "staying_in", "suis à", rf"(?P<me>je suis) {_IN} {{PLACE}}(?=,? jusqu)"),
    ("name", "slot", "from", "viens de|vient de|originaire", r"(?:(?P<me>je (?:viens|suis originaire))|{S} (?:vient|est originaire)) (?:de |d'){PLACE}{E}"),
    ("name", "have_kin", "", "j'ai", r"j'ai (?P<count>une |un |deux |trois )(?:petite? |grande? )?(?P<kin>{KIN})(?:,? (?:qui s'appelle|nommée?) (?P<kname>{N}))?(?: (?:qui (?:habite|vit) )?à {PLACE})?{E}"),
    ("name", "pet", "has_pet", "chien|chat|lapin", r"(?:j'ai|nous avons|on a)(?: adopté)? (?P<o>(?:un |une |deux )(?:chien(?:ne)?|chat(?:te)?|lapin)s?(?: (?:qui s'appelle|nommée?|appelée?) {N})?){E}"),
    ("name", "kin_name", "", "s'appelle", r"(?:mon|ma|notre) (?:nouve(?:au|lle) |petite? |grande? )?{ROLE} s'appelle (?P<name>{N}){E}"),
    ("name", "project_role", "", " est ", r"(?P<name>{N}) est (?:le |la |l')?(?P<role>pm|cheffe? de projet|product owner|responsable|développeu(?:r|se)|designer|sponsor|tech lead|référente?) (?:du|de|sur le|sur|pour) (?P<project>(?:projet )?{N}){E}"),
    ("name", "role", "", " est |c'est", r"(?:mon|ma|notre) (?:nouve(?:au|lle) |petite? |grande? )?{ROLE}(?: est|,? c'est)(?: maintenant)? (?P<name>{N}){E}"),
    ("name", "role", "", " est ", r"(?P<name>{N}) est (?:mon|ma|notre) (?:nouve(?:au|lle) |petite? |grande? )?{ROLE}{E}"),
    ("name", "slot", "works_at", "travaill|rejoint", r"(?:(?:(?P<me>je travaille)|{S} travaille)(?: maintenant| désormais)? (?:chez|pour) {NAME}{E}|(?P<me>j'ai rejoint) {NAME}{E})"),
    ("name", "slot", "works_on", "travaill", r"(?:(?P<me>je travaille)|{S} travaille) sur (?:le )?(?P<o>projet (?-i:[A-Z])[\w-]*){E}"),
    ("name", "slot", "occupation", "suis |travaille comme|est ", r"(?:(?P<me>je (?:suis|travaille comme))|{S} (?:est|travaille comme)) (?P<o>(?:une? )?(?:ingénieure?|développeu(?:r|se)|infirmi(?:er|ère)|professeure?|médecin|avocate?|architecte|journaliste|photographe|cuisini(?:er|ère)|programmeu(?:r|se)|designer|graphiste|étudiante?|musicien(?:ne)?|consultante?)(?: logiciel)?){E}"),
    ("name", "slot", "speaks", "parl", r"(?:(?P<me>je parle)|{S} parle) (?P<o>(?:français|anglais|allemand|italien|espagnol|portugais|russe|chinois|japonais|arabe)(?:(?:, | et )(?:français|anglais|allemand|italien|espagnol|portugais|russe|chinois|japonais|arabe))*){L}"),
    ("name", "slot", "diet", "végan|végétarien", r"(?:(?P<me>je suis(?: devenue?)?)|{S} est) (?P<o>végane?|végétarien(?:ne)?){E}"),
    ("name", "slot", "allergic_to", "allergique", r"(?:(?P<me>je suis)|{S} est) allergique (?:aux|au|à la|à l'|à) ?(?P<o>[\w ,]{3,50}?){L}"),
    ("name", "slot", "favourite", "préféré", r"(?P<me>m(?:on|a)) (?P<what>\w+) préférée? est (?:le |la |l')?(?P<o>[\w' .-]{2,40}?){E}"),
    ("name", "age", "age", " ans", r"(?:(?P<me>j'ai)|{S} a) (?P<o>\d{1,3}) ans{E}"),
    ("preference", "slot", "dislikes", "aime pas|déteste|supporte pas", r"(?:(?P<me>je n'aime) (?:vraiment )?pas (?P<o>" + _NOT + r"[\w', -]{2,60}?){L}|(?P<me>je déteste|je ne supporte pas) (?P<o>" + _NOT + r"[\w', -]{2,60}?){L})"),
    ("preference", "slot", "likes", "j'aime|j'adore", r"(?P<me>j'aime(?: bien| beaucoup)?|j'adore) (?!bien )(?P<o>" + _NOT + r"[\w', -]{2,60}?){L}"),
    ("preference", "slot", "prefers", "préf", r"(?:(?P<me>je préfère)|{S} préfère) (?P<o>(?!que\b)[\w`'./@:+ -]{2,70}?){E}"),
    ("preference", "free", "Preference: {o}", "toujours", r"(?:s'il te plaît,? )?(?P<o>(?:utilise|écris|réponds|ajoute|lance|vérifie|mets|demande|fais) toujours .{3,100}?)\s*$"),
    ("preference", "free", "Preference: {o}", "jamais", r"(?:s'il te plaît,? )?(?P<o>(?:n'|ne )(?:utilise|écris|ajoute|fais|mets|supprime|touche|pousse|réponds|change) jamais .{3,100}?)\s*$"),
    ("preference", "free", "Preference: {o}", "désormais|à partir de maintenant|dorénavant", r"(?:désormais|à partir de maintenant|dorénavant),? (?P<o>(?!je\b|j').{6,110}?)\s*$"),
    ("routine", "held_on", "held_on", "chaque|tous les|déplacé|le ", r"(?:le|la|notre) (?P<s>(?:stand-?up|daily|réunion|rétro|rétrospective|cours|entraînement|appel|démo)(?: d[e'] ?\w+)?) (?:est|a lieu|(?:est |a été )?déplacée? au|passe au)(?: le)? ?(?P<o>(?:chaque |tous les )?" + _DAY + r"(?: (?:matin|après-midi|soir))?(?: à [\dh:]+)?){E}"),
    ("routine", "routine", "routine", "chaque|tous les|toutes les|le lundi|le mardi|le mercredi|le jeudi|le vendredi|le samedi|le dimanche", r"{WHEN},? (?:je |j'|on |nous )(?P<o>(?!suis\b|ai\b|vois\b|pense\b)[\w`'./@: -]{3,80}?){X}"),
    ("routine", "routine", "routine", "chaque|tous les|toutes les|le lundi|le mardi|le mercredi|le jeudi|le vendredi|le samedi|le dimanche", r"(?:je |on |nous )(?P<o>(?!suis\b|vois\b|pense\b)[\w`'./@: -]{3,80}?) {WHEN}{E}"),
    ("priority", "free", "Blocking: {o}", "bloqu", r"(?P<o>(?:le|la|les|l') ?[\w`#./' -]{2,50}? (?:bloque|bloquent) [\w`'#./ -]{3,70}?)\s*$"),
    ("priority", "free", "Priority: {o} first", "d'abord", r"(?:(?:corrige|corrigeons|termine|terminons|fais|faisons|répare|règle) d'abord (?P<o>[\w`'#./ -]{3,60}?)|d'abord,? (?:corrige|corrigeons|termine|terminons|fais|faisons|répare|règle) (?P<o>[\w`'#./ -]{3,60}?)){E}"),
    ("priority", "free", "Priority: {o}", "priorité|prioritaire", r"(?:(?:la|notre|ma) priorité(?: absolue| numéro un)?(?: maintenant)? (?:est|c'est) (?P<o>.{3,90}?)|(?P<o>(?:le |la |les )[\w`'#./ -]{3,50}?) (?:est|sont) prioritaires?)\s*$"),
    ("decision", "free", "Decision: {o}", "partons sur|utilisons|gardons|passons à|choisissons|reportons|sautons|on part sur|commençons|on va utiliser|on garde", r"(?P<o>(?:partons sur|on part sur|utilisons|on va utiliser|gardons|on garde|passons à|choisissons|reportons|sautons|commençons par)\b [\w`'\"#./@:+,() -]{2,110}?)\s*$"),
    ("decision", "free", "Decision: {o}", "décidé|décision", r"(?:(?:nous avons|on a|j'ai) décidé(?: de| que| d')?|la décision est(?: de)?|décision :) ?(?P<o>.{4,120}?)\s*$"),
    ("decision", "free", "Decision: skip {o}", "saute|laisse de côté", r"(?:saute|laisse de côté) (?P<o>(?:le|la|les|l') ?[\w`'#./ -]{2,70}?)(?: pour l'instant)?\s*$"),
    ("architecture", "free", "Architecture: {o}", "devrait|devrions|doit|devons|il faut", r"(?:on (?:devrait|doit)|nous (?:devrions|devons)|il faut) (?P<o>(?:utiliser|adopter|garder|stocker|séparer|éviter|déplacer|mettre|supporter)\b .{3,110}?)\s*$"),
    ("architecture", "free", "Architecture: {o}", "n'ajoute|n'utilise|n'ajoutons|n'utilisons|ne touche|n'installe|ne crée|ne commit", r"(?:s'il te plaît,? )?(?P<o>(?:n'|ne )(?:ajoute|utilise|ajoutons|utilisons|touche|installe|crée|modifie|commite|introduis) pas .{2,110}?)\s*$"),
    ("value", "value", "value", " est |:", r"(?:le|la|l'|les)? ?(?:notre |mon )?(?P<s>(?:url|endpoint|branche|port|version|hôte|domaine|bucket|dépôt|repo|identifiant|ticket|timeout|limite|région|chemin|dossier|base de données|canal|tag|budget)(?: (?:du|de la|de|pour)? ?[\w-]+)?)(?: est| doit être| :|:) (?:maintenant )?{VAL}{E}"),
    ("value", "due", "due_on", "échéance|livraison|lancement|date limite", r"(?:le|la|l') ?(?P<s>(?:échéance|livraison|lancement|démo|date limite)(?: (?:du|de la|de) [\w ]{2,30})?) est (?:le |pour le |prévue? (?:pour )?le )*(?P<o>" + _DAY + r"(?: prochain)?|\d{1,2} [a-zéû]+(?: \d{4})?|\d{4}-\d{2}-\d{2}){E}"),
)  # fmt: skip

_KEPT = rows(
    ("name", "kept", "", "souviens-toi|rappelle-toi|n'oublie pas|retiens|note que", r"(?P<o>.{6,140}?)\s*$"),
)  # fmt: skip

FRENCH = Language(
    code="fr",
    rules=FIRST + _RULES + EVERYDAY + _KEPT,
    mentions=MENTIONS,
    before_name=BEFORE_NAME,
    common=frozenset(
        "le la les des du est je j'habite j'ai j'aime j'adore mon ma nous dans pas une chaque utilise utilisons sœur frère "
        "habite vis travaille préfère déteste toujours jamais oublie voulais et sur ne n'ai n'aime c'est qui que pour avec "
        "appelle m'appelle parle suis tous décidé d'abord on il faut ça merci mais bonjour demain gardons partons chez au aux "
        "j'habitais n'oublie n'utilise n'ajoute s'appelle femme mari n'habite désormais j'apprends fais joue chien chat ans depuis mange bois fume bosse j'étais nos notre mes ce cette sont "
        "moi toi enfants fille fils aussi finalement très plus ai as un en".split()
    ),
    roles=_ROLES,
    often=_OFTEN,
    possessive=r"(?P<me>m(?:on|a))",
    subject=r"(?:(?:mon|ma|notre) (?:petite? |grande? |nouve(?:au|lle) )?(?P<kin>{ROLES})(?:,? (?P<kname>{N}),?)?|(?P<who>{N}))",
    opening=r"(?:ok|ah|ah oui|au passage|pardon|attends|non attends|bref|du coup|petite précision|sinon|ah oui au fait|à savoir|pour ton info|tiens|alors|bon|bien|eh bien|aussi|et|mais|puis|oh|salut|bonjour|oui|non|bien sûr|merci|au fait|d'ailleurs|pour info|note|note que|(?:souviens-toi|rappelle-toi|retiens|n'oublie pas)(?: que| qu')?|en fait|en réalité|je crois que|je pense que|depuis (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)(?: \d{4})?|depuis \d{4}|hier|aujourd'hui|le mois dernier|la semaine dernière|l'année dernière)[,:.!;—–-]* +",
    conjunction="et",
    ends=r"cet|en (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)|du coup|donc|stp|au printemps|mais|depuis|maintenant|désormais|avec|parce|pour|jusqu|près|comme|où|qui|que|aussi|de nouveau|quand|le mois|la semaine|l'année|cette|déjà|ensemble|définitivement|hier|il y a|en \d{4}|en ce moment|à nouveau",
    joints=r"(?:[,;]|\s+[—–-])?\s+(?:et|mais|parce que|car|tandis que)(?:\s+(?:aussi|puis|maintenant))?\s+(?=(?:je|j'|mon|ma|on|nous|notre|n'|ne|utilisons|gardons|(?:le|la)(?= [\w ]{1,25} est\b))(?:\b|(?<=')))|[;]\s+|\s+[—–]\s+|,\s+(?=(?:je|j'|mon|ma|on|nous)(?:\b|(?<=')))",
    unsure=r"\b(?:(?<!pas )(?<!plus )si|j'aimerais|je voudrais|vivrais|habiterais|serais|serait|aurais|aurait|imagine|imaginons|supposons|disons que|hypothétiquement|en théorie|rêve|rêvé|par exemple)\b|(?<!\w)s'il (?!te|vous)",
    doubt=r"\b(?:peut-être|pourrait|pourrais|pourrions|je ne sais pas|pas sûre?|probablement|semble|presque|j'espère|on réfléchit|je réfléchis|je me demande|un jour|apparemment)\b",
    reported=r"\b(?:(?-i:[A-ZÀ-Þ])[\wé]+|elle|ils|elles|il|(?:le|la|mon|ma|un|une|les) [\w' ]{2,30}) (?:a dit|dit|disent|m'a dit|pense|croit|prétend|a écrit|écrit|suggère|recommande|a demandé|veut que)\b|\b(?:selon|d'après) (?!moi)|, (?:dit|a dit|écrit|disait) (?:le|la|un|une|il|elle|mon|ma|(?-i:[A-Z]\w+))\b|, (?:dit|dit-)-?(?:il|elle)\b",
    joking=r"\b(?:je plaisante|je rigole|je blague|c'est une blague|pour rire|mdr|ptdr|lol|haha+|hihi+|bien sûr que non)\b|[😂🤣😜😝🙃🙄😏]",
    fiction=r"^[^\w\n]{0,20}(?:(?:s'il te plaît|peux-tu|pourrais-tu|stp|aide-moi à)[, ]+)*(?:(?:écris|rédige|compose)(?:-moi)? (?:une?|le|la|l'|deux|trois) ?(?:\w+ ){0,2}(?:e-?mail|mail|lettre|histoire|poème|chanson|message|post|tweet|dissertation|discours|article|phrases?|texte|réponse|biographie|blague)|traduis|traduire|corrige la|corrige cette|reformule|réécris|résume|fais semblant|complète la phrase)\b|\b(?:dans (?:le|mon|ce) (?:roman|film|livre|jeu|conte)|dans (?:l'histoire|la chanson)|mon personnage|le personnage|le protagoniste|l'héroïne|le héros|il était une fois)\b",
    insists=r"\b(?:souviens-toi|rappelle-toi|retiens|n'oublie pas|note) (?:que|qu')|^retiens ?[:,]",
    misspoke=r"\b(?:je me suis trompée?|mon erreur|erreur de ma part|ce n'est pas vrai|je me suis mal exprimée?|je corrige)\b",
    pronouns=frozenset("ça cela ceci ce cette celui celle le la les tout rien ainsi quelque chose".split()),
    not_names=frozenset(
        "je tu il elle nous vous ils elles on ce cela ça ceci le la les un une mon ma mes ton ta son sa tout tous personne "
        "quelqu'un qui que quoi où quand comment pourquoi aujourd'hui demain hier oui non ok aussi puis si mais et ou lundi mardi "
        "mercredi jeudi vendredi samedi dimanche chaque c'est cette l'un".split()
    ),
)
