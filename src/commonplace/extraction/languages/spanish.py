# ruff: noqa: E501 - a pattern reads better on one line
"""Spanish."""

from commonplace.extraction.languages.spanish_everyday import BEFORE_NAME, EVERYDAY, FIRST, MENTIONS
from commonplace.extraction.languages.tables import Language, rows

_ROLES = {
    "cfo": "cfo", "ceo": "ceo", "cto": "cto", "director financiero": "cfo", "directora financiera": "cfo", "jefe": "boss",
    "jefa": "boss", "supervisor": "boss", "supervisora": "boss", "esposa": "wife", "mujer": "wife", "marido": "husband",
    "esposo": "husband", "pareja": "partner", "novia": "girlfriend", "novio": "boyfriend", "madre": "mother", "mamá": "mother",
    "padre": "father", "papá": "father", "hermana": "sister", "hermanas": "sister", "hermano": "brother", "hermanos": "brother",
    "hijo": "son", "hijos": "child", "hija": "daughter", "hijas": "daughter", "abuela": "grandmother", "abuelo": "grandfather",
    "tía": "aunt", "tío": "uncle", "prima": "cousin", "primo": "cousin", "sobrino": "nephew", "sobrina": "niece", "amigo": "friend",
    "amiga": "friend", "mejor amigo": "friend", "mejor amiga": "friend", "compañero de piso": "flatmate",
    "compañera de piso": "flatmate", "vecino": "neighbour", "vecina": "neighbour", "compañero": "colleague",
    "compañera": "colleague", "colega": "colleague", "contable": "accountant", "abogado": "lawyer", "abogada": "lawyer",
    "médico": "doctor", "médica": "doctor", "doctora": "doctor", "doctor": "doctor", "dentista": "dentist", "casero": "landlord",
    "casera": "landlord", "terapeuta": "therapist", "psicóloga": "therapist", "asistente": "assistant", "entrenador": "coach",
    "entrenadora": "coach", "veterinario": "vet", "veterinaria": "vet", "profesor": "teacher", "profesora": "teacher",
    "padres": "parents", "suegra": "in-law", "suegro": "in-law", "cuñado": "in-law", "cuñada": "in-law", "ex": "ex", "fisio": "physiotherapist",
    "fisioterapeuta": "physiotherapist", "niñera": "nanny", "gemelos": "child", "gemelas": "child", "prometida": "partner", "prometido": "partner", "niño": "child", "niña": "child", "nieto": "grandson", "nieta": "granddaughter",
    "cliente": "customer", "clienta": "customer",
}  # fmt: skip

_DAY = r"(?:lunes|martes|miércoles|miercoles|jueves|viernes|sábados?|sabados?|domingos?)"
_OFTEN = (
    rf"(?P<when>(?:cada|todos los|todas las) (?:días?|mañanas?|noches?|tardes?|semanas?|mes(?:es)?|años?|{_DAY}|fin(?:es)? de semana)"
    rf"(?: por la (?:mañana|tarde|noche))?(?: a las [\d:.]+)?|(?:una vez|dos veces|tres veces|\d veces) (?:a la|al|por) (?:semana|día|mes|año)|los {_DAY} y (?:los )?{_DAY}|los {_DAY}(?: por la (?:mañana|tarde|noche))?(?: a las [\d:.]+)?)"
)
_NOT = r"(?!(?:que|cuando|c[oó]mo|tu|tus|su|esto|esta idea|eso|ese|esa|lo)\b)"
_VERB = r"(?:voy|hago|corro|nado|juego|cocino|mando|envío|escribo|reviso|llamo|tenemos|hacemos|trabajo|limpio|como|ceno|llevo|leo|estudio|desplegamos|quedo|entreno|publicamos)"

_RULES = rows(
    ("retraction", "forget", "", "olvida|borra|olvídalo|olvidalo",
     r"(?:por favor )?(?:olvida|borra|olvídate de) (?:(?P<that>lo que (?:he dicho|dije|acabo de decir)|eso|esto|todo)(?: (?:sobre|de) (?P<about>[^.;!?]{2,60}))?(?=$|[.!,])|que (?P<clause>(?:vivo|trabajo|me|mi|tengo|soy)\b.{3,80}))"),
    ("retraction", "forget", "", "olvídalo|olvidalo", r"(?P<that>olvídalo|olvidalo)(?=$|[.!,])"),
    ("retraction", "nothing", "", "equivoc|error mío|no es verdad|no es cierto", r"(?:perdón[, ]+)?(?:me equivoqué|me he equivocado|error mío|no es verdad|no es cierto)\b"),
    ("retraction", "lack", "", "no tengo", r"(?:en realidad )?no tengo (?:una |un |ninguna |ningún )?(?P<kin>{KIN}){E}"),
    ("retraction", "ended", "lives_in", "no viv|vivía|ya no",
     r"(?:(?P<me>(?:yo )?(?P<anymore>ya )?no vivo) en {PLACE}{E}|{S} (?P<anymore>ya )?no vive en {PLACE}{E}|(?P<me>(?:antes )?vivía) en {PLACE}{E})"),
    ("retraction", "ended", "works_at", "no trabaj", r"(?:(?P<me>(?:yo )?(?P<anymore>ya )?no trabajo)|{S} (?P<anymore>ya )?no trabaja) (?:en|para) {NAME}{E}"),
    ("retraction", "ended", "likes", "ya no me gusta", r"(?P<me>(?P<must>ya )no me) gustan? (?P<o>[\w' -]{2,40}?){E}"),
    ("retraction", "ended", "diet", "ya no soy", r"(?P<me>ya no soy) (?P<o>vegan[oa]|vegetarian[oa]){E}"),
    ("retraction", "ended_role", "", "ya no es", r"(?P<name>{N}) ya no es (?:mi|nuestr[oa]) {ROLE}{E}"),
    ("correction", "meant", "", "quería decir|queria decir|quise decir|me refería", r"(?:(?:no|perdón|perdona|espera)[,:;. ]+)*(?:quería decir|queria decir|quise decir|me refería a) (?P<new>[^,.;!?]{1,60}?)(?:,? no (?P<old>[^,.;!?]{1,60}?))?\s*$"),
    ("correction", "instead", "", "pasemos de|pasamos de|cambiemos de|migremos de", r"(?:pasemos|pasamos|cambiemos|migremos) de (?P<old>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?) a (?P<new>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?){E}"),
    ("correction", "instead", "", "usa|usemos|utiliza", r"(?:(?:no|en realidad|por favor|mejor)[,:]? )*(?:usa|usemos|utiliza) (?P<new>[\w`'./@:+ -]{1,50}?),? (?:y no|no|en vez de|en lugar de) (?P<old>[\w`'./@:+-]{1,40}(?: [\w`'./@:+-]{1,20}){0,2}?){E}"),
    ("correction", "free", "Lesson: {o}", "lección|resulta que", r"(?:lección aprendida|resulta que),?:? (?P<o>.{8,140}?)\s*$"),
    ("name", "core", "name", "me llamo|mi nombre", r"(?:me llamo|mi nombre es) {NAME}{E}"),
    ("name", "core", "called", "llámame|llamame", r"(?:llámame|llamame) {NAME}{E}"),
    ("name", "core", "born_on", "cumpleaños|nací", r"(?:mi cumpleaños es|nací) el (?P<o>\d{1,2} de [a-z]+(?: de \d{4})?){E}"),
    ("name", "core", "email", "correo|email", r"mi (?:correo|e-?mail)(?: electrónico|(?P<work> de trabajo))?(?: es|:) (?P<o>[\w.+-]+@[\w-]+(?:\.[\w-]+)+){E}"),
    ("name", "slot", "lives_in", "viv|mud|trasladé",
     r"(?:(?P<me>(?:yo )?(?:ahora )?vivo)(?: ahora)? en {PLACE}{E}|{S} (?:ahora )?vive(?: ahora)? en {PLACE}{E}|(?P<me>me (?:he mudado|mudé|acabo de mudar|trasladé)) a {PLACE}{E}|{S} se (?:ha mudado|mudó) a {PLACE}{E})"),
    ("name", "slot", "staying_in", "estoy en", r"(?P<me>estoy) en {PLACE}(?=,? hasta)"),
    ("name", "slot", "from", "soy de|viene de|es de|vengo de", r"(?:(?P<me>soy|vengo)|{S} (?:es|viene)) de {PLACE}{E}"),
    ("name", "have_kin", "", "tengo", r"(?:yo )?tengo (?P<count>una |un |dos |tres )(?P<kin>{KIN})(?: (?:mayor|menor|pequeñ[oa]))?(?:,? (?:que se llama|llamad[oa]) (?P<kname>{N}))?(?: (?:que vive )?en {PLACE})?{E}"),
    ("name", "pet", "has_pet", "perr|gat|conejo", r"(?:tengo|tenemos|hemos adoptado|he adoptado) (?P<o>(?:un |una |dos )(?:perr[oa]s?|gat[oa]s?|conejo)(?: (?:que se llama|llamad[oa]) {N})?){E}"),
    ("name", "kin_name", "", "se llama", r"(?:mi|nuestr[oa]) (?:nuev[oa] )?{ROLE} se llama (?P<name>{N}){E}"),
    ("name", "project_role", "", " es ", r"(?P<name>{N}) es (?:el |la )?(?P<role>pm|project manager|jef[ea] de proyecto|product owner|responsable|líder|desarrollador[a]?|diseñador[a]?|sponsor|tech lead) (?:del|de|en el|en|para el) (?P<project>(?:proyecto )?{N}){E}"),
    ("name", "role", "", " es ", r"(?:mi|nuestr[oa]) (?:nuev[oa] )?{ROLE} (?:ahora )?es (?P<name>{N}){E}"),
    ("name", "role", "", " es ", r"(?P<name>{N}) es (?:mi|nuestr[oa]) (?:nuev[oa] )?{ROLE}{E}"),
    ("name", "slot", "works_at", "trabaj", r"(?:(?P<me>(?:yo )?(?:ahora )?trabajo)|{S} trabaja)(?: ahora)? (?:en|para) {NAME}{E}"),
    ("name", "slot", "works_on", "trabaj", r"(?:(?P<me>(?:estoy trabajando|trabajo))|{S} trabaja) en (?:el )?(?P<o>proyecto (?-i:[A-Z])[\w-]*){E}"),
    ("name", "slot", "occupation", "soy |trabajo como|es ", r"(?:(?P<me>soy|trabajo como)|{S} (?:es|trabaja como)) (?P<o>(?:un |una )?(?:ingenier[oa]|desarrollador[a]?|enfermer[oa]|profesor[a]?|médic[oa]|abogad[oa]|arquitect[oa]|periodista|fotógraf[oa]|cociner[oa]|programador[a]?|diseñador[a]?|estudiante|músico|consultor[a]?)(?: de software)?){E}"),
    ("name", "slot", "speaks", "habl", r"(?:(?P<me>hablo)|{S} habla) (?P<o>(?:español|inglés|francés|alemán|italiano|portugués|ruso|chino|japonés|árabe|catalán)(?:(?:, | y | e )(?:español|inglés|francés|alemán|italiano|portugués|ruso|chino|japonés|árabe|catalán))*){L}"),
    ("name", "slot", "diet", "vegan|vegetarian", r"(?:(?P<me>soy|me he hecho)|{S} es) (?P<o>vegan[oa]|vegetarian[oa]){E}"),
    ("name", "slot", "allergic_to", "alérgic", r"(?:(?P<me>soy)|{S} es) alérgic[oa] (?:a los|a las|al|a la|a) (?P<o>[\w ,]{3,50}?){L}"),
    ("name", "slot", "favourite", "favorit", r"(?P<me>mi) (?P<what>\w+) favorit[oa] es (?:el |la )?(?P<o>[\w' .-]{2,40}?){E}"),
    ("name", "age", "age", "años", r"(?:(?P<me>tengo)|{S} tiene) (?P<o>\d{1,3}) años{E}"),
    ("preference", "slot", "dislikes", "no me gusta|odio|detesto|no soporto", r"(?:(?P<me>no me) gustan? (?P<o>" + _NOT + r"[\w', -]{2,60}?){L}|(?P<me>odio|detesto|no soporto) (?P<o>" + _NOT + r"[\w', -]{2,60}?){L})"),
    ("preference", "slot", "likes", "me gusta|me encanta|adoro", r"(?P<me>me) (?:gustan?|encantan?)(?: (?:mucho))? (?P<o>" + _NOT + r"[\w', -]{2,60}?){L}"),
    ("preference", "slot", "prefers", "prefier", r"(?:(?P<me>(?:yo )?prefiero)|{S} prefiere) (?P<o>(?!que\b)[\w`'./@:+ -]{2,70}?){E}"),
    ("preference", "free", "Preference: {o}", "siempre", r"(?:por favor )?(?P<o>(?:usa|escribe|responde|añade|ejecuta|revisa|pon|pregunta|contesta) siempre .{3,100}?)\s*$"),
    ("preference", "free", "Preference: {o}", "siempre", r"(?:por favor )?siempre (?P<o>(?:usa|escribe|responde|añade|ejecuta|revisa|pon|contesta)\b.{3,100}?)\s*$"),
    ("preference", "free", "Preference: {o}", "nunca", r"(?:por favor )?(?P<o>nunca (?:uses|escribas|añadas|hagas|borres|toques|subas|respondas|pongas|cambies)\b.{3,100}?)\s*$"),
    ("preference", "free", "Preference: {o}", "a partir de ahora|de ahora en adelante", r"(?:a partir de ahora|de ahora en adelante),? (?P<o>.{6,110}?)\s*$"),
    ("routine", "held_on", "held_on", "cada|todos los|los |movid|pasa", r"(?:el|la|nuestr[oa]) (?P<s>(?:stand-?up|daily|reunión|retro|retrospectiva|clase|entrenamiento|llamada|demo|curso)(?: de \w+)?) (?:es|se (?:ha movido|mueve|pasa|movió) al?|pasa al) (?:los |el )?(?P<o>(?:cada |todos los )?" + _DAY + r"(?: por la (?:mañana|tarde|noche))?(?: a las [\d:.]+)?){E}"),
    ("routine", "routine", "routine", "cada|todos los|todas las|los ", r"{WHEN},? (?P<o>" + _VERB + r"\b[\w`'./@: -]{0,80}?){X}"),
    ("routine", "routine", "routine", "cada|todos los|todas las|los ", r"(?:normalmente )?(?P<o>" + _VERB + r"\b[\w`'./@: -]{0,80}?) {WHEN}{E}"),
    ("priority", "free", "Blocking: {o}", "bloque", r"(?P<o>(?:el|la|los|las) [\w`#./' -]{2,50}? (?:está bloqueando|bloquea|están bloqueando) [\w`'#./ -]{3,70}?)\s*$"),
    ("priority", "free", "Priority: {o} first", "primero", r"(?:por favor |hay que )*(?:primero (?:arregla|arreglemos|termina|terminemos|haz|hagamos|corrige) (?P<o>[\w`'#./ -]{3,60}?)|(?:arregla|arreglemos|termina|terminemos|haz|hagamos|corrige) (?P<o>[\w`'#./ -]{3,60}?) primero){E}"),
    ("priority", "free", "Priority: {o}", "prioridad", r"(?:(?:la|nuestra|mi) (?:máxima )?prioridad(?: ahora| principal)? es (?P<o>.{3,90}?)|(?P<o>(?:el |la |los |las )[\w`'#./ -]{3,50}?) tienen? prioridad)\s*$"),
    ("decision", "free", "Decision: {o}", "vamos con|usemos|usaremos|optemos|quedémonos|saltemos|pasemos|elijamos|dejemos|empecemos|vamos a usar", r"(?P<o>(?:vamos con|vamos a usar|usemos|usaremos|optemos por|quedémonos con|saltemos|pasemos a|elijamos|dejemos|empecemos con|empecemos por)\b [\w`'\"#./@:+,() -]{2,110}?)\s*$"),
    ("decision", "free", "Decision: {o}", "decidido|decisión|decidimos", r"(?:(?:hemos|he) decidido(?: que)?|decidimos|la decisión es|decisión:) (?P<o>.{4,120}?)\s*$"),
    ("decision", "free", "Decision: skip {o}", "salta|sáltate", r"(?:por favor )?(?:salta|sáltate|saltamos) (?P<o>(?:el|la|los|las) [\w`'#./ -]{2,70}?)(?: por ahora)?\s*$"),
    ("architecture", "free", "Architecture: {o}", "deberíamos|debemos|hay que|tenemos que", r"(?:deberíamos|debemos|hay que|tenemos que) (?P<o>(?:usar|adoptar|mantener|guardar|separar|evitar|mover|poner|soportar)\b .{3,110}?)\s*$"),
    ("architecture", "free", "Architecture: {o}", "no ", r"(?:por favor )?(?P<o>no (?:añadas|agregues|uses|introduzcas|instales|toques|importes|expongas|crees|cambies|añadamos|usemos)\b .{2,110}?)\s*$"),
    ("value", "value", "value", " es |:", r"(?:el|la|los)? ?(?:nuestr[oa] |mi )?(?P<s>(?:url|endpoint|rama|branch|puerto|versión|host|dominio|bucket|repo|repositorio|id|ticket|timeout|límite|región|ruta|carpeta|base de datos|canal|etiqueta|presupuesto|nombre de la rama)(?: (?:de|del|de la|para)? ?[\w-]+)?)(?: es| debe ser|:) (?:ahora )?{VAL}{E}"),
    ("value", "due", "due_on", "entrega|plazo|lanzamiento|fecha límite", r"(?:el|la) (?P<s>(?:entrega|plazo|lanzamiento|demo|fecha límite)(?: (?:del|de la|de) [\w ]{2,30})?) es (?:el |para el )*(?P<o>(?:próximo )?" + _DAY + r"|\d{1,2} de [a-z]+(?: de \d{4})?|\d{4}-\d{2}-\d{2}){E}"),
)  # fmt: skip

_KEPT = rows(
    ("name", "kept", "", "recuerda|ten en cuenta|ten presente", r"(?P<o>.{6,140}?)\s*$"),
)  # fmt: skip

SPANISH = Language(
    code="es",
    rules=FIRST + _RULES + EVERYDAY + _KEPT,
    mentions=MENTIONS,
    before_name=BEFORE_NAME,
    common=frozenset(
        "el los las del que es soy mi vivo trabajo tengo me gusta prefiero no una cada usa usemos hermana hermano mujer marido "
        "esto porque también siempre quiero deberíamos odio y en de por para con nunca llamo hablo olvida olvídalo quería "
        "mudado primero recuerda ya vamos decidido lunes martes jueves viernes todos hay está estoy puerto rama gracias "
        "mañana muy cuando como pero se su al jefe jefa toco hago perro perra gato gata llama años desde ahora como bebo fumo dejé hijo hija hijos somos hemos "
        "he estamos sobre todo nos ella yo uso solo este esta proyecto usamos vive novia novio".split()
    ),
    roles=_ROLES,
    often=_OFTEN,
    possessive=r"(?P<me>mi)",
    subject=r"(?:(?:mi|nuestr[oa]) (?:nuev[oa] )?(?P<kin>{ROLES})(?:,? (?P<kname>{N}),?)?|(?P<who>{N}))",
    opening=r"(?:ok|(?:a partir|desde) (?:de )?(?:hoy|mañana|ahora|este año|el lunes)|ah|oye|mira|perdona|perdón|no espera|espera|bueno|en fin|por si acaso|ah sí|ojo|dato|para tu información|por cierto|que sepas que|ah y|vale|bueno|pues|además|también|y|pero|luego|oh|hola|sí|no(?=[,.!;:])|claro|gracias|por cierto|para que conste|nota|(?:recuerda|ten en cuenta|ten presente|no olvides)(?: que)?|en realidad|de hecho|creo que|desde (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)(?: de \d{4})?|desde \d{4}|ayer|hoy|el mes pasado|la semana pasada|el año pasado|yo)[,:.!;—–-]* +",
    conjunction="y",
    ends=r"en (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|verano|invierno|otoño|primavera)|así que|por|pero|desde|ahora|con|porque|para|hasta|cerca|como|donde|que|también|otra vez|cuando|el mes|la semana|el año|este|ya|juntos|definitivamente|ayer|hace|de momento|en \d{4}",
    joints=r"(?:[,;]|\s+[—–-])?\s+(?:y|pero|porque|mientras)(?:\s+(?:también|luego|ahora))?\s+(?=(?:yo|me|vivo|trabajo|tengo|soy|mi|no|usemos|prefiero|odio|hablo|vamos|deberíamos|(?:el|la)(?= [\w ]{1,25} es\b)|ya no)\b)|,\s+(?=no sé\b)|[;]\s+|\s+[—–]\s+|,\s+(?=(?:yo|me|vivo|trabajo|mi|no tengo|no vivo|ya no|quería|quise|usemos)\b)",
    unsure=r"\b(?:(?<!sé )(?<!recuerdo )si|me gustaría|viviría|sería|tendría|tuviera|fuera|viviera|imagina|imagínate|supongamos|digamos que|hipotéticamente|en teoría|sueño|soñé|ojalá|por ejemplo)\b",
    doubt=r"\b(?:quizás?|tal vez|a lo mejor|podría|podríamos|no sé|no estoy segur[oa]|probablemente|parece|casi|espero|estoy pensando|estamos pensando|quién sabe|algún día)\b",
    reported=r"\b(?:(?-i:[A-ZÁ-Ú])\w+|él|ella|ellos|(?:el|la|mi|un|una|los) [\w' ]{2,30}) (?:ha dicho|dijo|dice|dicen|me dijo|piensa|cree|sostiene|escribió|escribe|sugiere|recomienda|pidió|quiere que)\b|\bsegún\b|, (?:dijo|dice|escribió|gritó) (?:el|la|un|una|él|ella|mi|(?-i:[A-Z]\w+))\b",
    joking=r"\b(?:es broma|era broma|bromeo|estoy bromeando|jaja+\w*|jeje+|haha+|lol|sí, claro)\b|[😂🤣😜😝🙃🙄😏]",
    fiction=r"^[^\w\n]{0,20}(?:(?:por favor|puedes|podrías|me|ayúdame a)[, ]+)*(?:escribe(?:me)? (?:una?|el|la|dos|tres) (?:\w+ ){0,2}(?:correo|e-?mail|carta|historia|cuento|poema|canción|mensaje|post|tuit|ensayo|discurso|artículo|frases?|texto|respuesta|biografía|chiste)|traduce|traducir|corrige|reescribe|resume|finge|haz como|completa la frase)\b|\b(?:en la (?:novela|película|historia|canción)|en el (?:libro|juego|cuento)|mi personaje|el personaje|el protagonista|la protagonista|érase una vez)\b",
    insists=r"\b(?:recuerda|ten en cuenta|ten presente|no olvides) que\b|^recuerda[:,]",
    misspoke=r"\b(?:me equivoqué|me he equivocado|error mío|no es verdad|no es cierto|me expresé mal|corrijo)\b",
    pronouns=frozenset("esto eso ese esa esta este lo la los las todo nada así algo cosa aquello".split()),
    not_names=frozenset(
        "yo él ella nosotros ellos esto eso ese esa el la los las un una mi tu su todos nadie alguien qué que quién dónde cuándo "
        "cómo hoy mañana ayer sí no ok también luego si pero y o lunes martes miércoles jueves viernes sábado domingo cada lo".split()
    ),
)
