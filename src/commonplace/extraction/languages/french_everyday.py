# ruff: noqa: E501 - a pattern reads better on one line
"""French, as people type it about themselves: health and food, pets, pastimes, work, habits, how a project is done."""

from commonplace.extraction.languages.tables import rows

_STOP = r"(?=\s*(?:$|[.,;:!)~(]|\s[—–-]\s| (?:et|mais|parce|car|donc|depuis|du coup|merci|pour|alors)\b))"
_MONTH = r"(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)"
_DATE = rf"(?:1er|\d{{1,2}}) {_MONTH}(?: \d{{4}})?|\d{{4}}-\d\d-\d\d"
_PET = r"(?P<animal>chien(?:ne)?|chiot|chat(?:te)?|chaton|lapine?|hamster|perroquet|cheval|jument|tortue|canari|cochon d'inde)"
_IN = r"(?:à|en|au|aux|près de|à côté de)"
_TO = r"(?:aux |au |à la |à l'|à )"
_OF = r"(?:des |du |de la |de l'|de |d')"
_I = r"(?:moi,? )?"
_JOB = r"(?:\w+(?:iste|ologue|graphe)|ingénieure?|développeu(?:r|se)|infirmi(?:er|ère)|prof(?:esseure?)?|instit(?:uteur|utrice)?|médecin|avocate?|architecte|cuisini(?:er|ère)|serveu(?:r|se)|programmeu(?:r|se)|designer|étudiante?|musicien(?:ne)?|consultante?|vétérinaire|pharmacien(?:ne)?|pompier|polici(?:er|ère)|menuisi(?:er|ère)|plombier|maçon|chauffeu(?:r|se)|coiffeu(?:r|se)|secrétaire|commerciale?|vendeu(?:r|se)|boulang(?:er|ère)|agricult(?:eur|rice)|écrivaine?|traduct(?:eur|rice)|act(?:eur|rice)|chanteu(?:r|se)|danseu(?:r|se)|peintre|cherch(?:eur|euse)|doctorante?|fonctionnaire|retraitée?|direct(?:eur|rice)|gérante?|guide|pilote|hôtesse de l'air|mécanicien(?:ne)?|électricien(?:ne)?|technicien(?:ne)?|comptable|notaire|juge|kiné|sage-femme|aide-soignante?|animat(?:eur|rice)|éducat(?:eur|rice)|bibliothécaire|libraire|freelance|indépendante?|chef de \w+|cheffe de \w+|assistante? \w+)"
_PLAYED = r"(?:piano|guitare|violon|violoncelle|batterie|basse|flûte|trompette|saxophone|saxo|clarinette|harpe|accordéon|ukulélé|clavier|orgue|alto|contrebasse)"
_SPORT = r"(?:foot(?:ball)?|tennis|basket|volley|padel|rugby|golf|échecs|ping-pong|hand(?:ball)?|water-polo|badminton|squash|hockey|pétanque|bridge|poker)"
_PRACTICE = (
    r"(?:judo|karaté|yoga|pilates|danse|ballet|boxe|escrime|natation|athlétisme|escalade|aviron|voile|surf|poterie|céramique|théâtre|gym(?:nastique)?|crossfit|équitation|ski|vélo|tango|salsa|méditation|randonnée|course à pied|triathlon|bénévolat|plongée|couture|tricot|photo|jardinage|chorale|musculation|"
    + _PLAYED
    + r")"
)
_DAYS = "chaque|tous les|toutes les|le lundi|le mardi|le mercredi|le jeudi|le vendredi|le samedi|le dimanche|fois par"
_NOTED = r"(?!(?:suis (?!en|à)|vois|pense|crois|sais|veux|dois|peux|vais (?:voir|essayer)|ai (?:vu|fait|eu|dit|pris|perdu|oublié|pensé|reçu|dû|été|mangé|trouvé)|me (?:demande|suis)|étais|avais)\b)"
_WORK = r"(?:projet|dépôt|repo|code|équipe|paquet|service|appli)"

FIRST = rows(
    ("name", "partnered", "", "en couple|mariée? avec|fiancée? à|avec", r"je (?:suis (?:en couple avec|mariée? (?:avec|à)|fiancée? (?:avec|à))|sors avec) (?P<name>{N}){E}"),
    ("name", "pet", "has_pet", "chiens|chats|lapins", r"(?:j'ai|on a|nous avons) (?P<o>(?:deux|trois|quatre) (?:chiens|chiennes|chats|chattes|lapins)(?:,|:| qui s'appellent| nommés)+ {N}(?:(?:, | et ){N})+)"),
    ("preference", "free", "Preference: {o}", "n'aime pas qu|aime pas qu|veux pas qu|déteste qu|supporte pas qu", r"(?P<o>je (?:n'aime pas|ne veux pas|déteste|ne supporte pas) (?:qu'on|que tu|quand on|que l'on) [\w' ]{5,60}?)\s*$"),
    ("value", "value", "value", "numéro|référence|identifiant|matricule|plaque", r"(?:mon|ma|notre) (?P<s>(?:numéro|référence|identifiant|matricule|plaque|code)(?: (?:de |du |d'|de la |client)[\w ]{0,25}?)?)(?: est|:| :) (?P<o>[\w#./-]*\d[\w#./-]*){E}"),
    ("decision", "free", "Convention: {o}", "on utilise|nous utilisons", r"(?P<o>(?:on utilise|nous utilisons) (?!(?:ça|le|la|les|un|une|ce|cette)\b)[\w`'#./@:+ -]{2,60}?)\s*$"),
    ("name", "slot", "works_at", " comme ", r"(?:(?:(?P<me>je (?:travaille|bosse))|{S} (?:travaille|bosse)) (?:chez|pour) {NAME} comme (?P<job>[\w -]{4,30}?){X}|(?:(?P<me>je (?:travaille|bosse))|{S} (?:travaille|bosse)) comme (?P<job>[\w -]{4,30}?) (?:chez|pour) {NAME}{E})"),
    ("name", "kin_list", "", "j'ai|on a|nous avons", r"(?:j'ai|on a|nous avons) (?P<count>une |un |deux |trois |quatre )?(?:petits? |petites? |grands? |grandes? )?(?P<kin>{KIN})(?:[,:(]| qui s'appellent| :| nommés)+ (?P<names>{N}(?: \([^)]{1,12}\))?(?:(?:, | et ){N}(?: \([^)]{1,12}\))?)*)"),
    ("name", "kin_list", "", "s'appellent", r"(?:mes|nos) (?P<kin>{KIN}) s'appellent (?P<names>{N}(?:(?:, | et ){N})*)"),
    ("correction", "fixed", "", "pas ", r"(?:(?:non|attends|pardon|désolée?|en fait)[,: ]+)*(?:(?:le|la|mon|ma) |l')(?P<s>[\w' -]{2,40}?),? (?:est|c'est) (?:le |à |au |en |sur )?(?P<new>(?-i:(?=[^,]*?[\dA-Z]))[\w:/.@#-]+(?: [\w:/.@#-]+){0,2}?),? (?:et )?(?:pas|non) (?:le |à |au |en |sur )?(?P<old>[\w:/.@#-]+(?: [\w:/.@#-]+){0,2}?)\s*$"),
)  # fmt: skip

EVERYDAY = rows(
    ("retraction", "ended", "works_at", "quitté|démissionné|licencié|virée?", r"(?P<me>j'ai (?:quitté|démissionné de)(?: mon (?:travail|poste|boulot) chez)?|j'ai été (?:licenciée?|virée?) de(?: chez)?|je me suis fait virer de(?: chez)?) {NAME}{E}"),
    ("retraction", "ended", "plays", "plus", rf"(?P<me>je (?:ne )?joue plus) (?:(?:du|de la|de l') ?(?P<o>{_PLAYED})|(?:au|aux|à la) (?P<o>{_SPORT})){{E}}"),
    ("retraction", "ended", "practises", "plus", rf"(?P<me>je (?:ne )?fais plus) (?:de |du |de la |d')(?P<o>{_PRACTICE}){{E}}"),
    ("retraction", "ended", "partner_of", "plus avec|rompu|séparée?", r"(?P<me>je ne suis plus avec|je suis plus avec|j'ai rompu avec|je me suis séparée? (?:de|d'avec)|j'ai quitté) (?P<o>{N}){E}"),
    ("name", "my_name", "", "suis|moi", r"(?:je suis|moi,? c'est) (?P<name>(?-i:[A-ZÀ-Þ][a-zà-ÿ'-]+(?: [A-ZÀ-Þ][a-zà-ÿ'-]+)?))(?=\s*(?:$|[,.!]| et\b))"),
    ("name", "core", "name", "nom de famille|prénom|s'écrit", r"mon (?:nom de famille|prénom|nom) (?:est|s'écrit|c'est) {NAME}{E}"),
    ("name", "core", "born_on", "anniversaire", rf"mon anniversaire,? (?:c'est|est|tombe) le (?P<o>{_DATE}){{E}}"),
    ("name", "slot", "born_on", "anniversaire", rf"l'anniversaire de (?:ma|mon) (?P<kin>{{KIN}}),? (?:est|c'est) le (?P<o>{_DATE}){{E}}"),
    ("name", "pet", "has_pet", "s'appelle", rf"(?:mon|ma|notre) (?:petite? |autre |deuxième )?{_PET} s'appelle (?P<name>{{N}}){{E}}"),
    ("name", "thing_name", "", "s'appelle", r"(?:mon|ma|notre) (?P<what>\w+) s'appelle (?P<name>{N}){E}"),
    ("name", "slot", "condition", "cœliaque|coeliaque|diabétique|intoléran|daltonien|gauch|droiti|dyslexique|asthmatique|myope|enceinte|épileptique|sourd|aveugle|autiste|anémi|claustrophobe|sobre",
     rf"(?:(?P<me>{_I}je suis)|{{S}} est) (?:aussi |très |un peu |malheureusement )*(?P<o>c(?:œ|oe)liaque|diabétique|intolérante? {_TO}\w+|daltonien(?:ne)?|gauch(?:er|ère)|dyslexique|asthmatique|myope|enceinte|épileptique|sourde?|aveugle|autiste|anémiée?|claustrophobe){{E}}"),
    ("name", "slot", "has_condition", "j'ai| a |souffr", rf"(?:(?P<me>{_I}(?:j'ai|je souffre))|{{S}} (?:a|souffre)) (?:de l'|de la |du |de |d'|des |un |une |le |la )?(?P<o>asthme|diabète|migraines?|maladie cœliaque|épilepsie|insomnies?|allergie {_TO}\w+|intolérance {_TO}\w+|hypertension|arthrite|arthrose|reflux|psoriasis|dyslexie|vertiges?|hernie(?: discale)?|tdah|dépression|anxiété|endométriose|acouphènes?){{E}}"),
    ("name", "slot", "does_not_eat", "mange p|mange aucun|peux pas manger|mange jamais|mange plus", rf"(?:(?P<me>{_I}je (?:ne |n')?(?:mange|peux)(?: pas| plus| jamais)(?: manger)?)|{{S}} (?:ne |n')?mange (?:pas|plus|jamais)) (?:{_OF})(?P<o>(?!(?:tout|chez|là|ça|rien|bien|assez|beaucoup)\b)[\w' -]{{3,40}}?){_STOP}"),
    ("name", "slot", "does_not_drink", "bois p|bois jamais", rf"(?:(?P<me>{_I}je (?:ne )?bois (?:pas|plus|jamais))|{{S}} (?:ne )?boit (?:pas|plus|jamais)) (?:{_OF})(?P<o>(?!(?:tout|ça|rien|assez|beaucoup)\b)[\w' -]{{3,40}}?){_STOP}"),
    ("name", "slot", "does_not_drink:alcohol", "bois p", rf"(?:(?P<me>{_I}je (?:ne )?bois (?:pas|plus))|{{S}} (?:ne )?boit (?:pas|plus)){_STOP}"),
    ("name", "slot", "gave_up:smoking", "fum", r"(?:(?P<me>(?:moi,? )?(?:je (?:ne )?fume plus|j'ai arrêté de fumer|j'ai arrêté la (?:clope|cigarette)))|{S} (?:ne fume plus|a arrêté de fumer)){E}"),
    ("name", "slot", "does_not:smoke", "fum", rf"(?:(?P<me>{_I}je (?:ne )?fume pas)|{{S}} (?:ne )?fume pas){_STOP}"),
    ("name", "slot", "gave_up", "arrêté", r"(?P<me>j'ai arrêté) (?:de |d'|le |la |l'|les )?(?P<o>boire(?: \w+)?|café|alcool|sucre|viande|manger de la viande|jouer (?:du|de la|au|aux) \w+|réseaux sociaux|piano|guitare|judo|danse){E}"),
    ("name", "slot", "afraid_of", "peur|phobi", rf"(?:(?P<me>{_I}j'ai)|{{S}} a) (?:très |une peur bleue |la phobie |trop )?(?:peur )?{_OF}(?P<o>avion|prendre l'avion|voler|vide|hauteurs?|araignées?|serpents|chiens|aiguilles|piqûres|noir|eau|mer|ascenseurs?|orages?|rats|souris|dentiste|sang|conduire|abeilles|guêpes|foule){{E}}"),
    ("name", "slot", "lives_in", "habit|vis|viv|déménag|install|emménag", rf"(?:(?P<me>{_I}(?:j'habite|je vis|on habite|on vit|nous habitons|nous vivons)(?: maintenant| désormais| actuellement| depuis \w+(?: \w+)?)?) {_IN} {{PLACE}}{{E}}|(?P<me>(?:j'ai|on a|nous avons|je viens de?) (?:déménagé|emménagé|emménager)|on (?:vient de|s'est) (?:déménager|installés?|emménager)) {_IN} {{PLACE}}{{E}}|(?P<me>j'ai déménagé|je me suis installée?|je viens de déménager) {_IN} {{PLACE}}(?= (?:cet|en|au|il y a|pour)\b))"),
    ("name", "slot", "from", "grandi|née? à|née? en|originaire", rf"(?P<me>{_I}(?:j'ai grandi|je suis née?)) {_IN} {{PLACE}}{{E}}"),
    ("name", "slot", "moving_to", "déménage|m'installe", rf"(?P<me>je (?:déménage|m'installe)|on déménage) {_IN} {{PLACE}}{{E}}"),
    ("name", "slot", "works_at", "travaill|bosse|embauch|commencé|taffe|poste", r"(?:(?:(?P<me>(?:moi,? )?je (?:bosse|taffe|travaille))|{S} (?:bosse|travaille))(?: \w+){0,3}? (?:chez|pour|à la|à l'|au) ?{NAME}(?: comme (?P<job>[\w ]{4,30}?))?{E}|(?P<me>(?:j'ai été|je me suis fait|je viens d'être) embauch(?:ée?|er)|j'ai commencé|je viens de commencer|j'ai trouvé un (?:poste|boulot|travail)) (?:chez|à la|à l'|au) ?{NAME}{E})"),
    ("name", "slot", "occupation", "suis |travaille|bosse|est |métier", rf"(?:(?:(?P<me>{_I}je (?:travaille|bosse))|{{S}} (?:travaille|bosse)) (?:comme|en tant que) (?P<o>(?!(?:un fou|une folle|ça|avant)\b)[\w' -]{{4,40}}?){{E}}|(?:(?P<me>{_I}je suis)|{{S}} est) (?:une? )?(?P<o>{_JOB}(?: (?:de|en) \w+)?)(?=\s*(?:$|[.,;!]| (?:à|chez|dans|et|mais|depuis|au|en|pour)\b)))"),
    ("name", "slot", "plays", "joue", rf"(?:(?P<me>{_I}je joue)|{{S}} joue)(?: aussi| encore)? (?:(?:du|de la|de l') ?(?P<o>{_PLAYED})|(?:au|aux|à la) (?P<o>{_SPORT})){{E}}"),
    ("name", "slot", "practises", "fais|fait |pratiqu", rf"(?:(?P<me>{_I}je (?:fais|pratique))|{{S}} (?:fait|pratique))(?: aussi)? (?:du |de la |de l'|le |la |l')(?P<o>{_PRACTICE}){{E}}"),
    ("name", "slot", "learning", "apprends|apprendre|cours de", r"(?P<me>(?:moi,? )?(?:j'apprends|je suis en train d'apprendre|j'ai commencé (?:à apprendre|le|la|l'))) (?:aussi )?(?:le |la |l'|à )?(?P<o>(?!(?:que|des|un|une|comment|beaucoup|ça)\b)[\w]{3,20}(?: \w+)?){E}"),
    ("name", "slot", "drives", "conduis|roule en", r"(?P<me>je (?:conduis|roule en)) (?P<o>(?:une? )?(?:vieille )?(?-i:[A-Z])[\w-]+(?: [\w-]+)?){E}"),
    ("name", "slot", "lacks", "ai pas de|n'ai pas le permis|ai pas le permis", r"(?P<me>(?:moi,? )?(?:je n'ai|j'ai) pas) (?:de |d'|le )(?P<o>voiture|permis(?: de conduire)?|télé(?:vision)?|lave-vaisselle|four|balcon|jardin|vélo|portable|passeport|ascenseur){E}"),
    ("name", "slot", "supports", "supporter|supporte l", r"(?P<me>je (?:supporte|suis supportr?i?c?e?r? de)) (?:le |la |l'|les )?(?P<o>(?-i:OM|PSG|OL|{N})){E}"),
    ("preference", "slot", "prefers", "préf", r"(?P<me>(?:moi,? )?je préfère) (?P<o>(?:que tu |qu'on |ne pas )[\w`'./@:+ -]{3,70}?){E}"),
    ("preference", "free", "Preference: {o}", "tutoie|vouvoie|évite|pas d'|pas de|quand tu|dans tes réponses|avec moi|utilise|écris", r"(?!.*\b(?:cette fois|pour l'instant|aujourd'hui|dans ce|dans cette)\b)(?:(?:s'il te plaît|stp),? )?(?P<o>(?:tutoie|vouvoie)-moi|(?:évite|n'utilise pas|utilise|écris|réponds|pas d'|pas de)\b.{3,70}? (?:quand tu (?:m'écris|me réponds|m'expliques|écris|réponds)|dans tes réponses|avec moi)\b.{0,30}?)\s*$"),
    ("routine", "routine", "routine", _DAYS, r"{WHEN},? (?:je |j'|on |nous )(?P<o>" + _NOTED + r"[\w`'./@: -]{3,80}?){X}"),
    ("routine", "routine", "routine", _DAYS, r"(?:je |j'|on |nous )(?P<o>" + _NOTED + r"[\w`'./@: -]{3,80}?) {WHEN}{E}"),
    ("routine", "routine", "routine", "d'habitude|en général|normalement", r"(?:d'habitude|en général|normalement),? (?:je |j'|on )(?P<o>" + _NOTED + r"[\w`'./@: -]{5,70}?){X}"),
    ("routine", "routine", "routine", "ne travaille p", r"(?:je )(?P<o>ne travaille (?:pas|plus) le (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|week-end|matin|soir)){E}"),
    ("routine", "held_on", "held_on", "chaque|tous les|toutes les", r"(?:le|la|notre|mon|ma) (?P<s>(?:stand-?up|daily|réunion|rétro|cours|entraînement|appel|démo|sauvegarde|thérapie|marché|séance)(?: (?:d[e'] ?|du )\w+)?),? (?:est|a lieu|c'est|se fait)(?: à [\dh:]+)? (?P<o>(?:chaque|tous les|toutes les) \w+(?: (?:matin|après-midi|soir)s?)?(?: à [\dh:]+)?){E}"),
    ("decision", "free", "Decision: {o}", "choisi|on reste|on abandonne|finalement|on conserve|on ne fait pas|on passe", r"(?:finalement,? )?(?P<o>(?:on a choisi|nous avons choisi|j'ai choisi|on reste (?:sur|avec)|nous restons (?:sur|avec)|on abandonne|on conserve|on passe (?:à|sur)|nous passons à|on ne fait pas)\b (?!(?:ça|cela|tout|autre chose|là)\b)[\w`'\"#./@:+,() -]{2,100}?)(?: finalement)?\s*$"),
    ("decision", "free", "Convention: {o}", "dans ce|dans cette|sur ce|pour ce", rf"(?:(?:dans|sur|pour) (?:ce|cette|cet) {_WORK},? (?P<o>(?:on|utilise|pas de|jamais|toujours|les commentaires|les commits|les tests|nous|tout)\b.{{3,90}}?)|(?P<o>(?:on (?:utilise|indente|écrit|garde|n'utilise)|utilise|pas de|utilisons|toujours|jamais)\b .{{2,70}}? (?:dans|sur|pour) (?:ce|cette|cet) {_WORK}))\s*$"),
    ("correction", "free", "Lesson: {o}", "le problème venait|le problème était|la cause était|la solution était|à mes dépens", r"(?:(?:j'ai )?appris à mes dépens(?: que)? ?:? ?|(?=le problème (?:venait|était)|la cause était|la solution était))(?P<o>.{10,140}?)\s*$"),
    ("value", "value", "value", " sur | à |https", r"(?:le |la |l')?(?P<s>(?:serveur|base de données|bdd|site|api|tableau de bord|service|dépôt|repo|staging|prod|production|wiki|appli)(?: (?:de |du |d')[\w-]+)?) (?:est|tourne|se trouve|écoute)(?: maintenant)?(?: sur| à| sur le port)? {VAL}{E}"),
    ("value", "event", "held_on", "réunion|mariage|entretien|examen|fête|concert|vol|rendez-vous|voyage|sortie", rf"(?:(?:le|la|mon|ma|notre) |l')(?P<s>(?:réunion|mariage|entretien|examen|fête|concert|vol|rendez-vous|voyage|sortie|conférence)(?: (?:de|du|avec|à|chez) [\w ]{{2,30}}?)?),? (?:est|c'est|aura lieu|est (?:déplacée?|reportée?)|a été (?:déplacée?|reportée?))(?: maintenant)? (?:le |au )(?P<o>{_DATE}){{E}}"),
    # Of oneself, in whatever words
    ("name", "slot", "lives_in", "habitent|vivent|appart|maison à", rf"(?:(?:mes|nos) (?P<kin>{{KIN}}) (?:habitent|vivent)|(?P<me>(?:j'ai acheté|j'ai trouvé|on a acheté|on a trouvé) un(?:e)? (?:appart|appartement|maison))) {_IN} {{PLACE}}{{E}}"),
    ("name", "slot", "from", "viens de|viens d'", r"(?P<me>(?:moi,? )?je viens) (?:de |d'){PLACE}(?: (?:en|au|dans)\b[\w' ]{2,30}?)?{E}"),
    ("name", "slot", "studies", "étudie|études de|fac de|licence|master", r"(?P<me>(?:moi,? )?(?:j'étudie|je fais des études (?:de|d')|je suis en (?:fac|licence|master|école) (?:de|d'))) ?(?:le |la |l'|les )?(?P<o>[\w' ]{3,40}?)(?= à\b| depuis\b|\s*(?:$|[.,;!]))"),
    ("name", "pet", "has_pet", "chien|chat|lapin|cheval", rf"(?:j'ai|nous avons|on a)(?: adopté)? (?P<o>(?:un |une |deux |trois ){_PET.replace('?P<animal>', '?:')}s?(?: \w+)?(?:,? (?:qui s'appelle|nommée?|appelée?) {{N}})?){{E}}"),
    ("retraction", "ended", "works_at", "quitté", r"(?P<me>j'ai quitté) (?:la |le |l')(?P<o>{N}){E}"),
    ("preference", "free", "Preference: {o}", "toujours|jamais", r"(?:stp,? |s'il te plaît,? )?(?P<o>(?:réponds|écris|parle|donne|explique|propose|mets)(?:-moi)? (?:toujours|jamais) .{3,80}?)\s*$"),
    ("routine", "routine", "routine", "je |j'", r"(?:je |j')(?P<o>(?!.*\b(?:aujourd'hui|ce soir|demain|hier|maintenant|là|cette|ce|te|tu|ton|ta)\b)(?:enseigne|chante|peins|dessine|cuisine|collectionne|cultive|cours|nage|skie|danse|écris|programme|voyage|porte des (?:lunettes|lentilles)|utilise|télétravaille|travaille (?:de chez moi|à distance|à mi-temps|à temps partiel|de nuit|en horaires décalés)|vis avec|dors|me (?:lève|réveille|couche)|prends (?:le train|le bus|le métro|le vélo)|fais du bénévolat|dirige|gère|écoute|élève|loue|partage|médite|traduis|répare|vais (?:au travail|à la salle|à la gym|au bureau)|suis (?:passée? à|en) temps partiel)\b[\w`'./@ -]{0,70}?){X}"),
    ("decision", "free", "Decision: {o}", "passés à|passés sur|basculé", r"(?P<o>(?:on est|nous sommes) passés (?:à|sur) (?!(?:autre|côté|table)\b)[\w`'#./@:+ -]{2,60}?|(?:on a|nous avons) basculé (?:sur|vers) [\w`'#./@:+ -]{2,60}?)\s*$"),
    ("decision", "free", "Convention: {o}", "vont dans|doivent|s'écrivent", r"(?P<o>les (?:commentaires|commits|tests|noms|variables|migrations|fichiers|branches|messages|logs|dates|prix)(?: (?:du|de la|de) \w+)? (?:vont|doivent|s'écrivent|sont) [\w`'#./@:+ -]{3,60}?)\s*$"),
    ("value", "value", "value", " est |:", r"(?:le |la |l')(?P<s>(?:code|mot de passe wifi|numéro|digicode|salle|quai|identifiant|référence)(?: (?:du|de la|de l'|de|d') ?[\w-]+){0,2}) (?:est|c'est) (?P<o>[\w#./-]*\d[\w#./-]*){E}"),
    ("name", "slot", "works_in", "travaill|bosse", r"(?:(?P<me>(?:moi,? )?je (?:travaille|bosse))|{S} (?:travaille|bosse))(?: de nuit| à mi-temps| à temps partiel)? (?P<o>(?:dans (?:une? |le |la |l')|à l'|à la |au |en )(?:pharmacie|boulangerie|hôpital|école|lycée|collège|bibliothèque|usine|boutique|magasin|supermarché|restaurant|bar|café|hôtel|musée|banque|laboratoire|labo|université|bureau|clinique|entrepôt|garage|studio|librairie|agence|crèche|mairie|théâtre|salle de sport|cabinet(?: \w+)?|entreprise(?: \w+)?|start-up|association)(?: (?:à|de) {N})?){E}"),
    ("name", "slot", "lived_in", "vécu|habité", r"(?P<me>j'ai (?:vécu|habité))(?: (?:pendant )?\w+ (?:ans|mois))? (?:à|en|au|aux) {PLACE}{E}"),
    ("value", "thing", "", "s'appelle", r"(?:le|la|notre|l') ?(?P<what>projet|appli|service|entreprise|boîte|produit|dépôt|boutique|groupe|équipe) s'appelle (?P<o>(?-i:[A-Z])[\w.-]*(?: (?-i:[A-Z])[\w.-]*){0,2}){E}"),
    ("value", "thing", "", " est |c'est", r"(?:le|la|notre) (?P<what>cheffe? de projet|responsable|cliente?|fournisseur|directeur|directrice|présidente?|tuteur|tutrice),? (?:est|c'est) (?P<o>(?-i:[A-Z])[\w.-]*(?: (?-i:[A-Z])[\w.-]*){0,2}){E}"),
    ("decision", "free", "Decision: {o}", "d'accord pour|d'accord sur|convenu", r"(?:on s'est mis d'accord|nous sommes d'accord|on a convenu|nous avons convenu) (?P<o>(?:pour|sur|de|que) .{4,100}?)\s*$"),
)  # fmt: skip

MENTIONS = rows(
    ("name", "mention", "", "mon |ma |notre ", r"\b(?:mon|ma|notre) (?:petite? |grande? |chère? |nouve(?:au|lle) )?(?P<kin>{ROLES}),? (?P<kname>{N})(?! ou\b|[\w-])"),
    ("name", "pet", "has_pet", "mon |ma |notre ", rf"\b(?:mon|ma|notre) (?:petite? )?{_PET},? (?P<name>{{N}})(?![\w-])"),
    ("name", "slot", "lives_in", "habite|vit", r"\b(?:mon|ma|notre) (?:\w+ )?(?P<kin>{ROLES})(?:,?| is| è| es| est| ist) (?P<kname>{N})\b[^.?!;~]{0,60}?, (?:il|elle|qui) (?:habite|vit) (?:à|en|au) {PLACE}{E}"),
)  # fmt: skip
BEFORE_NAME = r"\b(?:(?:habite|habitons|vis|vit|déménagé|installée?) (?:maintenant )?à |s'appelle |m'appelle |appelle-moi )(?P<n>(?!(?:la|le|l|les|un|une|deux|mon|ma|côté|ce|cette|pas|comme|peine|nouveau|deux|trois)\b)[a-zà-ÿ]{3,})(?=\s*(?:$|[.,;!)]| (?:et|mais|depuis|avec|pour|dans|en|maintenant)\b))"
