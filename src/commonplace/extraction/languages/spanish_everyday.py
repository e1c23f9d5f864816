# ruff: noqa: E501 - a pattern reads better on one line
"""Spanish, as people type it about themselves: health and food, pets, pastimes, work, habits, how a project is done."""

from commonplace.extraction.languages.tables import rows

_STOP = r"(?=\s*(?:$|[.,;:!)~(]|\s[—–-]\s| (?:y|pero|porque|así que|desde|hace|por|gracias)\b))"
_MONTH = r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)"
_DATE = rf"\d{{1,2}} de {_MONTH}(?: (?:de|del) \d{{4}})?|\d{{4}}-\d\d-\d\d"
_PET = r"(?P<animal>perr[oa]|perrit[oa]|gat[oa]|gatit[oa]|conej[oa]|hámster|loro|caballo|yegua|tortuga|canario)"
_TO = r"(?:a los |a las |al |a la |a )"
_THE = r"(?:el |la |los |las |un |una )"
_JOB = r"(?:\w+(?:ista|ólog[oa]|ógraf[oa])|ingenier[oa]|desarrollador[a]?|enfermer[oa]|profesor[a]?|maestr[oa]|médic[oa]|abogad[oa]|arquitect[oa]|cociner[oa]|camarer[oa]|programador[a]?|diseñador[a]?|estudiante|músic[oa]|consultor[a]?|veterinari[oa]|farmacéutic[oa]|bomber[oa]|policía|carpinter[oa]|fontaner[oa]|albañil|conductor[a]?|camioner[oa]|peluquer[oa]|secretari[oa]|administrativ[oa]|comercial|vendedor[a]?|dependient[ea]|panader[oa]|agricultor[a]?|pescador[a]?|escritor[a]?|traductor[a]?|actor|actriz|cantante|bailarín|bailarina|pintor[a]?|investigador[a]?|doctorand[oa]|científic[oa]|autónom[oa]|funcionari[oa]|jubilad[oa]|director[a]?|gerente|entrenador[a]?|guía|piloto|azafata|socorrista|mecánic[oa]|electricista|técnic[oa]|contable|notari[oa]|juez[a]?|freelance)"
_PLAYED = r"(?:piano|guitarra|violín|violonchelo|chelo|batería|bajo|flauta|trompeta|saxofón|saxo|clarinete|arpa|acordeón|ukelele|teclado|órgano|viola|contrabajo|cajón)"
_SPORT = r"(?:fútbol|futbol|tenis|baloncesto|pádel|padel|voleibol|rugby|golf|ajedrez|ping pong|balonmano|waterpolo|bádminton|squash|hockey|béisbol|póker)"
_PRACTICE = r"(?:judo|kárate|karate|yoga|pilates|danza|ballet|boxeo|esgrima|natación|atletismo|escalada|remo|vela|surf|cerámica|teatro|gimnasia|crossfit|equitación|esquí|ciclismo|baile|tango|salsa|kickboxing|meditación|senderismo|running|triatlón|voluntariado|buceo)"
_VERB = r"(?!(?:como si|cuando|creo|pienso|veo|siento|espero|digo|debo|quiero|puedo|solo|todo|mucho|poco|luego|pero|cambio|bueno|claro|estoy|he|hemos|vamos a ver)\b)(?:voy|vamos|doy|soy|me \w+o|nos \w+mos|[a-zñáéíóú]{2,}o|[a-zñáéíóú]{2,}(?:amos|emos|imos))"
_DAYS = "cada|todos los|todas las|los |veces|una vez"
_WORK = r"(?:proyecto|repo|repositorio|código|equipo|paquete|servicio|librería)"

FIRST = rows(
    ("name", "partnered", "", "casad|comprometid|salgo con|saliendo con|novi", r"(?:estoy (?:casad[oa]|comprometid[oa]|saliendo) con|salgo con) (?P<name>{N}){E}"),
    ("name", "pet", "has_pet", "perr|gat|conej", r"(?:tengo|tenemos) (?P<o>(?:dos|tres|cuatro) (?:perr[oa]s|gat[oa]s|conejos)(?:,|:| que se llaman| llamad[oa]s)+ {N}(?:(?:, | y | e ){N})+)"),
    ("preference", "free", "Preference: {o}", "no me gusta que|me molesta|prefiero que|no quiero que", r"(?P<o>(?:no me gusta que|me molesta que|no quiero que|odio que) (?:me |nos )?[\w' ]{5,60}?)\s*$"),
    ("preference", "slot", "dislikes", "me molesta", r"me molestan? (?:el |la |los |las )?(?P<o>(?!que\b|cuando\b|esto\b|eso\b)[\w' ]{3,40}?){E}"),
    ("value", "value", "value", "número|código|clave|referencia|matrícula|pin", r"(?:mi|el|la|nuestr[oa]) (?P<s>(?:número|código|clave|referencia|matrícula|pin)(?: (?:de|del|de la) [\w ]{2,25}?)?)(?: es|:) (?P<o>[\w#./-]*\d[\w#./-]*){E}"),
    ("name", "slot", "lives_in", "vivo con|vivimos con|comparto piso", r"(?P<me>vivo|vivimos|comparto piso) con [\w ]{3,30}? en {PLACE}{E}"),
    ("name", "slot", "works_at", " como | de ", r"(?:(?:(?P<me>trabajo)|{S} trabaja) en {NAME} (?:como|de) (?P<job>[\w -]{4,30}?){X}|(?:(?P<me>trabajo)|{S} trabaja) (?:como|de) (?P<job>[\w -]{4,30}?) en (?:el |la )?{NAME}{E})"),
    ("name", "kin_list", "", "tengo|tenemos", r"(?:yo )?(?:tengo|tenemos) (?P<count>una |un |dos |tres |cuatro )?(?P<kin>{KIN})(?: (?:mayores|menores|pequeñ[oa]s))?(?:[,:(]| que se llaman| llamad[oa]s)+ (?P<names>{N}(?: \([^)]{1,12}\))?(?:(?:, | y | e ){N}(?: \([^)]{1,12}\))?)*)"),
    ("name", "kin_list", "", "se llaman", r"(?:mis|nuestr[oa]s) (?P<kin>{KIN}) se llaman (?P<names>{N}(?:(?:, | y | e ){N})*)"),
    ("correction", "fixed", "", "no ", r"(?:(?:no|espera|perdón|perdona|en realidad)[,: ]+)*(?:el|la) (?P<s>[\w' -]{2,40}?) es (?:el |a las |al |en |a )?(?P<new>(?-i:(?=[^,]*?[\dA-Z]))[\w:/.@#-]+(?: [\w:/.@#-]+){0,2}?),? (?:y )?no (?:el |a las |al |en |a )?(?P<old>[\w:/.@#-]+(?: [\w:/.@#-]+){0,2}?)\s*$"),
)  # fmt: skip

EVERYDAY = rows(
    ("retraction", "lack", "", "no tengo", r"(?:yo )?no tengo (?P<kin>{KIN})s?{E}"),
    ("retraction", "ended", "works_at", "dejé|he dejado|despedi", r"(?P<me>(?:he dejado|dejé)(?: el trabajo en| mi trabajo en)?|me (?:han despedido|despidieron|he ido|fui) de) {NAME}{E}"),
    ("retraction", "ended", "plays", "ya no", rf"(?:(?P<me>ya no toco) {_THE}(?P<o>{_PLAYED})|(?P<me>ya no juego) (?:al |a )(?P<o>{_SPORT})){{E}}"),
    ("retraction", "ended", "practises", "ya no", rf"(?P<me>ya no (?:hago|practico)) (?:el |la )?(?P<o>{_PRACTICE}){{E}}"),
    ("retraction", "ended", "partner_of", "salgo con|estoy con|roto con|rompí con|dejado con", r"(?P<me>ya no (?:salgo|estoy) con|(?:he roto|rompí|lo he dejado|lo dejé) con) (?P<o>{N}){E}"),
    ("name", "my_name", "", "soy", r"(?:yo )?soy (?P<name>(?-i:[A-ZÀ-Þ][a-zà-ÿ'-]+(?: [A-ZÀ-Þ][a-zà-ÿ'-]+)?))(?=\s*(?:$|[,.!]| y\b))"),
    ("name", "core", "name", "apellido|se escribe", r"mi (?:apellido|nombre) (?:es|se escribe) {NAME}{E}"),
    ("name", "pet", "has_pet", "se llama", rf"(?:mi|nuestr[oa]) (?:otr[oa] |primer[oa]? |segund[oa] )?{_PET} se llama (?P<name>{{N}}){{E}}"),
    ("name", "slot", "born_on", "cumpleaños", rf"el cumpleaños de mi (?P<kin>{{KIN}}) es el (?P<o>{_DATE}){{E}}"),
    ("name", "thing_name", "", "se llama", r"(?:mi|nuestr[oa]) (?P<what>\w+) se llama (?P<name>{N}){E}"),
    ("name", "slot", "condition", "celíac|celiac|diabétic|intoleran|daltónic|zurd|disléxic|asmátic|miope|abstemi|embarazada|epiléptic|sord|cieg|autista|anémic|claustrofóbic",
     rf"(?:(?P<me>(?:yo )?(?:soy|estoy))|{{S}} (?:es|está)) (?:también |muy |algo )*(?P<o>cel[íi]ac[oa]|diabétic[oa]|intolerante {_TO}\w+|daltónic[oa]|zurd[oa]|disléxic[oa]|asmátic[oa]|miope|abstemi[oa]|embarazada|epiléptic[oa]|sord[oa]|cieg[oa]|autista|anémic[oa]|claustrofóbic[oa]){{E}}"),
    ("name", "slot", "has_condition", "tengo|tiene|sufro|sufre|padezco", rf"(?:(?P<me>(?:yo )?(?:tengo|sufro de|padezco))|{{S}} (?:tiene|sufre de)) (?:el |la |un |una |mucha |un poco de )?(?P<o>asma|diabetes|migrañas?|celiaquía|epilepsia|insomnio|alergia {_TO}\w+|intolerancia {_TO}\w+|(?:la )?tensión (?:alta|baja)|artritis|reflujo|psoriasis|dislexia|vértigo|hernia|tdah|depresión|ansiedad|endometriosis){{E}}"),
    ("name", "slot", "does_not_eat", "no com|no puedo comer|no pruebo", rf"(?:(?P<me>(?:yo )?(?:ya )?no (?:como|puedo comer|pruebo))|{{S}} no (?:come|puede comer)) (?:nunca |el |la |los |las )*(?P<o>(?!(?:nada|mucho|tanto|en|a|fuera|aquí|eso|esto|si|cuando|antes|tú|yo|se|para|me)\b)[\w' -]{{3,40}}?){_STOP}"),
    ("name", "slot", "does_not_drink", "no beb|no tom", rf"(?:(?P<me>(?:yo )?(?:ya )?no (?:bebo|tomo))|{{S}} no (?:bebe|toma)) (?:nunca |el |la |los |las )*(?P<o>(?!(?:nada|mucho|tanto|en|a|fuera|aquí|eso|decisiones|notas)\b)[\w' -]{{2,40}}?){_STOP}"),
    ("name", "slot", "does_not_drink:alcohol", "no beb", rf"(?:(?P<me>(?:yo )?(?:ya )?no bebo)|{{S}} no bebe){_STOP}"),
    ("name", "slot", "gave_up:smoking", "fumar|no fumo", r"(?:(?P<me>(?:yo )?(?:ya no fumo|dejé de fumar|he dejado de fumar))|{S} (?:ya no fuma|dejó de fumar|ha dejado de fumar)){E}"),
    ("name", "slot", "does_not:smoke", "no fum", rf"(?:(?P<me>(?:yo )?no fumo)|{{S}} no fuma){_STOP}"),
    ("name", "slot", "gave_up", "dejé|he dejado", r"(?P<me>(?:dejé|he dejado) (?:de )?)(?P<o>beber(?: \w+)?|el café|el alcohol|el azúcar|comer \w+|jugar al? ?\w*|tocar \w+|la carne|las redes sociales){E}"),
    ("name", "slot", "afraid_of", "miedo|pánico|fobia", r"(?:(?P<me>(?:me da|me dan|tengo|le tengo))|{S} (?:tiene)) (?:mucho |mucha )?(?:miedo|pánico|terror|fobia) (?:a(?: los| las| la)? |al )?(?P<o>volar|alturas?|arañas?|serpientes|perros|agujas|oscuridad|agua|mar|avión|aviones|ascensores|tormentas|ratas|ratones|dentista|sangre|conducir|abejas){E}"),
    ("name", "slot", "lives_in", "viv|mud|resid", rf"(?:(?P<me>(?:yo |ahora |nosotros )*(?:vivo|vivimos|resido)(?: ahora| actualmente| desde \w+| desde hace \w+ \w+)? (?:en|cerca de)) {{PLACE}}{{E}}|(?P<me>nos (?:hemos mudado|mudamos)) a {{PLACE}}{{E}}|(?P<me>me (?:he mudado|mudé|trasladé|acabo de mudar)) a {{PLACE}}(?= en {_MONTH}| por| este| en verano| en invierno))"),
    ("name", "slot", "from", "nací|crecí|me crié", r"(?P<me>(?:yo )?(?:nací(?: y crecí)?|crecí|me crié)) (?:en|cerca de)(?: un pueblo (?:de|cerca de))? {PLACE}{E}"),
    ("name", "slot", "moving_to", "me mudo|nos mudamos", r"(?P<me>me mudo|nos vamos a mudar|nos mudamos) a {PLACE}{E}"),
    ("name", "slot", "works_at", "trabaj|curro|contrat|empecé|empezado|fichado", r"(?:(?:(?P<me>(?:yo )?(?:ahora )?(?:trabajo|curro))|{S} (?:ahora )?trabaja)(?: \w+){0,3}? (?:en|para) (?:el |la )?{NAME}{E}|(?P<me>(?:me (?:han contratado|contrataron) en|he (?:empezado|entrado) (?:a trabajar )?en|empecé (?:a trabajar )?en)) (?:el |la )?{NAME}{E})"),
    ("name", "slot", "occupation", "soy |trabajo|curro|es ", rf"(?:(?:(?P<me>(?:yo )?(?:trabajo|curro))|{{S}} trabaja) (?:como|de) (?P<o>(?!(?:lunes|noche|día|martes|forma|nuevo|vez|momento)\b){_THE}?[\w]{{4,25}}(?: de \w+)?){{E2}}|(?:(?P<me>(?:yo )?soy)|{{S}} es) (?:un |una )?(?P<o>{_JOB}(?: de \w+)?)(?=\s*(?:$|[.,;!]| (?:en|y|pero|desde|por|para|del)\b)))".replace("{E2}", r"(?=\s*(?:$|[.,;!]| (?:en|y|pero|desde|por|para|del)\b))")),
    ("name", "slot", "plays", "toco|toca|jueg", rf"(?:(?:(?P<me>(?:yo )?toco)|{{S}} toca)(?: también)? {_THE}(?P<o>{_PLAYED}){{E}}|(?:(?P<me>(?:yo )?juego)|{{S}} juega)(?: también)? (?:al |a )(?P<o>{_SPORT}){{E}})"),
    ("name", "slot", "practises", "hago|hace |practic", rf"(?:(?P<me>(?:yo )?(?:hago|practico))|{{S}} (?:hace|practica))(?: también)? (?:el |la )?(?P<o>{_PRACTICE}){{E}}"),
    ("name", "slot", "learning", "aprendiendo|estudiando|aprender", r"(?P<me>(?:yo )?(?:estoy (?:aprendiendo|estudiando)|he empezado a (?:aprender|estudiar))) (?:también )?(?:el |la |a )?(?P<o>(?!(?:para|un|una|cómo|que|si|en)\b)[\w]{3,20}(?: \w+)?){E}"),
    ("name", "slot", "drives", "conduzco", r"(?P<me>conduzco) (?P<o>una? (?:viej[oa] )?(?-i:[A-Z])[\w-]+(?: [\w-]+)?){E}"),
    ("name", "slot", "lacks", "no tengo", r"(?P<me>(?:yo )?no tengo) (?:un |una )?(?P<o>coche|carro|carnet(?: de conducir)?|televisión|tele|lavavajillas|horno|balcón|jardín|bici|móvil|pasaporte|ascensor){E}"),
    ("name", "slot", "supports", "soy del|hincha", r"(?P<me>soy (?:del|de la|hincha del|hincha de)) (?P<o>(?-i:Real|Barça|Barcelona|Atlético|Atleti|Betis|Sevilla FC|Athletic|Valencia CF|Boca|River)[\w ]{0,20}?){E}"),
    ("preference", "slot", "prefers", "prefier", r"(?P<me>(?:yo )?prefiero) (?P<o>(?:que (?:me |no )?|no )[\w`'./@:+ -]{3,70}?){E}"),
    ("preference", "free", "Preference: {o}", "tutéame|evita|no uses|sin emojis|cuando me|en tus respuestas", r"(?!.*\b(?:esta vez|por ahora|hoy|en este|en esta)\b)(?:por favor )?(?P<o>(?:tutéame|trátame de (?:tú|usted))|(?:evita|no uses|usa|escribe|responde|nada de)\b.{3,70}? (?:cuando me (?:escribas|respondas|hables)|en tus respuestas|conmigo)\b.{0,30}?)\s*$"),
    ("routine", "routine", "routine", _DAYS, r"{WHEN},? (?P<o>" + _VERB + r"\b[\w`'./@: -]{0,80}?){X}"),
    ("routine", "routine", "routine", _DAYS, r"(?:normalmente |yo |nosotros )*(?P<o>" + _VERB + r"\b[\w`'./@: -]{0,60}?) {WHEN}{E}"),
    ("routine", "routine", "routine", "normalmente|suelo|solemos|por lo general", r"(?:yo )?(?:normalmente |por lo general )?(?P<o>(?:suelo|solemos) [\w`'./@: -]{5,70}?){X}"),
    ("routine", "held_on", "held_on", "cada|todos los|todas las", r"(?:el|la|nuestr[oa]) (?P<s>(?:stand-?up|daily|reunión|retro|clase|entrenamiento|llamada|demo|curso|copia de seguridad|terapia|mercado)(?: de[l]? ?(?:la )?\w+)?) (?:es|hay|se hace|toca)(?: a las [\d:.]+)? (?P<o>(?:cada|todos los|todas las) \w+(?: por la (?:mañana|tarde|noche))?(?: a las [\d:.]+)?){E}"),
    ("routine", "held_on", "held_on", "cada", r"(?:el|la|los|las) (?P<s>[\w ]{3,30}?) (?:caduca|se renueva|se paga|se rota|vence|se hace|cambia)n? (?P<o>cada (?:\d+ |\w+ )?(?:días?|semanas?|mes(?:es)?|años?)){E}"),
    ("decision", "free", "Decision: {o}", "elegido|elegimos|nos quedamos|seguimos con|al final|mantenemos|descartamos|no vamos a", r"(?:al final )?(?P<o>(?:hemos elegido|elegimos|nos quedamos con|seguimos con|mantenemos|descartamos|hemos pasado a|no vamos a (?:usar|hacer|añadir|soportar))\b (?!(?:esto|eso|ese|esta|vida)\b)[\w`'\"#./@:+,() -]{2,100}?)\s*$"),
    ("decision", "free", "Convention: {o}", "en este|en esta|en el proyecto|en el repo", rf"(?:(?:en|para) (?:este|esta) {_WORK},? (?P<o>(?:usamos|se usa|escribimos|nada de|no usamos|indentamos|los comentarios|los commits|los tests|solo|siempre|nunca)\b.{{2,90}}?)|(?P<o>(?:usamos|usa|usemos|escribimos|indentamos|nada de|solo|no usamos)\b .{{2,70}}? (?:en|para) (?:este|esta) {_WORK}))\s*$"),
    ("correction", "free", "Lesson: {o}", "el problema era|la causa era|por las malas|la solución era", r"(?:(?:lo )?aprendí(?:mos)? por las malas:? |(?=el problema era|la causa era|la solución era))(?P<o>.{10,140}?)\s*$"),
    ("value", "value", "value", " en |https", r"(?:el |la )?(?P<s>(?:servidor|base de datos|bd|sitio|web|api|panel|servicio|repo|staging|producción|wiki|app)(?: de[l]? [\w-]+)?) (?:está|corre|vive|escucha)(?: ahora)?(?: en| en el puerto)? {VAL}{E}"),
    ("value", "event", "held_on", "reunión|boda|entrevista|examen|fiesta|concierto|vuelo|cita|viaje|excursión", rf"(?:el|la|mi|nuestr[oa]) (?P<s>(?:reunión|boda|entrevista|examen|fiesta|concierto|vuelo|cita|viaje|excursión|conferencia)(?: (?:de|del|con|a) [\w ]{{2,30}}?)?) (?:es|será|se ha (?:movido|cambiado)|pasa)(?: ahora)? (?:el |al )(?P<o>{_DATE}){{E}}"),
    # Of oneself, in whatever words
    ("name", "slot", "lives_in", "llevo|alquiler|casa en", r"(?P<me>llevo \w+ (?:años|meses|semanas)(?: viviendo)?|(?:yo )?vivo de alquiler|me he comprado (?:una casa|un piso)) en {PLACE}{E}"),
    ("name", "slot", "allergic_to", "alergia", r"(?:me (?:da|dan) alergia|tengo alergia a(?:l)?) (?:los |las |el |la )?(?P<o>[\w ]{3,30}?){E}"),
    ("name", "slot", "studies", "estudi", r"(?P<me>(?:yo )?estudio) (?!(?:para|mucho|cada|en|un)\b)(?P<o>[\w ]{4,40}?)(?= en\b| a\b| desde\b|\s*(?:$|[.,;!]))"),
    ("name", "kin_list", "", "tengo|tenemos", r"(?:tengo|tenemos) (?P<count>una |un )(?P<kin>{KIN}) de [\w ]{2,20} que se llama (?P<names>{N}){E}"),
    ("preference", "free", "Preference: {o}", "trátame|tutéame|háblame|llámame", r"(?P<o>(?:trátame de (?:tú|usted)|tutéame|háblame (?:de (?:tú|usted)|en \w+)))(?:,? por favor)?\s*$"),
    ("routine", "routine", "routine", "o ", r"(?:yo )?(?:normalmente |siempre |a menudo |todavía |también )*(?P<o>(?!.*\b(?:hoy|esta noche|ayer|ahora|esta|este|lo|te|tu)\b)(?:enseño|canto|pinto|dibujo|cocino|colecciono|cultivo|entreno|corro|nado|esquío|bailo|escribo|programo|viajo|llevo (?:gafas|lentillas)|uso|trabajo (?:desde casa|en remoto|a media jornada|de noche|por turnos|a tiempo completo|por mi cuenta)|vivo con|duermo|me (?:levanto|despierto|acuesto)|desayuno|ceno|voy (?:al gimnasio|en bici|andando|al trabajo)|cojo el|hago voluntariado|dirijo|gestiono|escucho|sigo|crío|alquilo|comparto|medito|traduzco|reparo)\b[\w`'./@ -]{4,70}?){X}"),
    ("decision", "free", "Convention: {o}", "van en|deben|se escriben", r"(?P<o>(?:los|las) (?:comentarios|commits|tests|nombres|variables|migraciones|ficheros|archivos|ramas|mensajes|logs|fechas|precios)(?: (?:en el|del|de la|de) \w+)? (?:van|deben|se escriben|tienen que) [\w`'#./@:+ ,-]{3,60}?)\s*$"),
    ("value", "event", "held_on", "pasa al|mueve|cambia|aplaza", rf"(?:el|la|mi|nuestr[oa]) (?P<s>(?:reunión|boda|entrevista|examen|fiesta|concierto|vuelo|cita|viaje|entrega|clase)(?: (?:de|del|con) [\w ]{{2,30}}?)?) (?:pasa|se (?:mueve|cambia|aplaza|ha (?:movido|cambiado|aplazado)))(?: al| para el) (?:lunes |martes |miércoles |jueves |viernes |sábado |domingo )?(?P<o>{_DATE}){{E}}"),
    ("name", "slot", "works_in", "trabaj|curro", r"(?:(?P<me>(?:yo )?(?:trabajo|curro))|{S} trabaja) (?P<o>en (?:una? |el |la )(?:farmacia|panadería|hospital|colegio|escuela|instituto|biblioteca|fábrica|tienda|supermercado|restaurante|bar|cafetería|hotel|museo|banco|laboratorio|universidad|oficina|clínica|almacén|taller|estudio(?: \w+)?|librería|agencia|guardería|ayuntamiento|teatro|gimnasio|empresa(?: de \w+)?|bufete|gestoría)(?: (?:de|en) {N})?){E}"),
    ("name", "slot", "lived_in", "viví|he vivido", r"(?P<me>viví|he vivido)(?: (?:durante )?\w+ (?:años|meses))? en {PLACE}{E}"),
    ("value", "thing", "", "se llama", r"(?:el|la|nuestr[oa]) (?:nuestr[oa] )?(?P<what>proyecto|app|servicio|empresa|producto|repo|tienda|banda|equipo) se llama (?P<o>(?-i:[A-Z])[\w.-]*(?: (?-i:[A-Z])[\w.-]*){0,2}){E}"),
    ("value", "thing", "", " es ", r"(?:el|la|nuestr[oa]) (?P<what>jef[ea] de proyecto|responsable|cliente|proveedor|director|directora|presidente|presidenta|tutor|tutora|entrenador) (?:ahora )?es (?P<o>(?-i:[A-Z])[\w.-]*(?: (?-i:[A-Z])[\w.-]*){0,2}){E}"),
    ("decision", "free", "Decision: {o}", "acordado|acordamos|quedado en", r"(?:hemos acordado|acordamos|hemos quedado en) (?:que )?(?P<o>.{4,100}?)\s*$"),
    ("decision", "free", "Convention: {o}", "usamos|utilizamos", r"(?P<o>(?:usamos|utilizamos) (?!(?:esto|eso|el|la|los|las|un|una)\b)[\w`'#./@:+ -]{2,60}?)\s*$"),
)  # fmt: skip

MENTIONS = rows(
    ("name", "mention", "", "mi |nuestr", r"\b(?:mi|nuestr[oa]) (?:querid[oa] |nuev[oa] )?(?P<kin>{ROLES}),? (?P<kname>{N})(?! o\b|[\w-])"),
    ("name", "pet", "has_pet", "mi |nuestr", rf"\b(?:mi|nuestr[oa]) {_PET},? (?P<name>{{N}})(?![\w-])"),
    ("name", "slot", "lives_in", "vive en", r"\b(?:mi|nuestr[oa]) (?P<kin>{ROLES})(?:,?| is| è| es| est| ist) (?P<kname>{N})\b[^.?!;~]{0,60}?, (?:él |ella |que )?(?:ahora )?vive en {PLACE}{E}"),
)  # fmt: skip
BEFORE_NAME = r"\b(?:(?:vivo|vive|vivimos) (?:ahora )?en |(?:mudé|mudado) a |se llama |me llamo |llámame |llamame )(?P<n>(?!(?:casa|un|una|el|la|los|las|mi|este|ese|esta|esa|dos|paz|así|como|no|otro|otra|frente|medio|plena|pleno)\b)[a-zñáéíóúü]{3,})(?=\s*(?:$|[.,;!)]| (?:y|pero|desde|con|por|ahora|en|porque)\b))"
