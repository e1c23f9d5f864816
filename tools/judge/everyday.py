"""Write more training data for the judge from the lines in ``frames/``: everyday messages in five languages.

usage: everyday.py --out FOLDER [--seed 7] [--each 24]
A frame of ``frames/LANGUAGE.txt`` is labels, a tab and a message; of ``frames/told_LANGUAGE.txt`` also what it says, in
plain statements between bars; of ``frames/pairs.txt`` language, belief, label and statement. Slots in braces are filled at random; ``{n2}`` is another value of ``{n}``. Messages are also joined, because
people say several things at once: what is joined has the labels of its parts, less ``transient`` and ``ack``.
A book of ``frames/books_LANGUAGE.txt`` is what is believed of somebody (``=``) and what they say then: ``>`` with the
numbers of the beliefs that it replaces, ends, denies or refines, ``+`` a fact that leaves them all alone, ``-`` chatter.
"""

import argparse
import json
import random
import re
from pathlib import Path

from commonplace.learning.plain_sentences import in_third_person

HERE = Path(__file__).parent / "frames"
NAMES = """Ada Aisha Amara Anders Anil Beatriz Bela Boris Carla Chidi Clara Daan Dalia Deniz Elif Emil Esther Farid Fatou Finn Giulia
Greta Hana Henrik Hugo Ines Ivan Jana Jonas Kaya Keiko Kofi Lena Liam Lucia Malik Marta Mei Milo Nadia Nils Noor Olga Omar Paola Petra
Priya Quentin Rania Rosa Sabine Samir Sofia Tariq Thea Tomasz Uma Viktor Wanda Xenia Yara Yusuf Zoe Steve Karen Dave Lucy Tom""".split()
CITIES = """Oslo Vienna Lisbon Turin Ghent Porto Leeds Kyoto Lagos Quito Basel Cork Malmo Split Riga Tunis Lima Accra Bergen Graz Lyon Bonn
Seville Krakow Galway Utrecht Nantes Tartu Köln München Bologna Sevilla Lille Palermo Denver Austin Toronto Bristol""".split()
FIRMS = """Siemens Ikea Nokia Bosch Stripe Shell Philips Novartis Lidl Spotify Airbus Ericsson Roche Maersk Heineken Telia Deloitte Brightwell
Nordlicht Cartwell Fenwick Solaris Greenline Tesco Decathlon""".split()
SHARED = {
    "n": NAMES, "c": CITIES, "f": FIRMS,
    "p": "Rex Miso Flopsy Coco Bruno Luna Storm Nala Pepper Biscuit Mochi Fritz Tilly Olive Otto Zorro Minou Birba".split(),
    "y": [str(year) for year in range(1988, 2026)],
    "i": [str(number) for number in range(2, 30)],
    "i0": [str(number) for number in range(30, 95)],
    "i1": ["1", "2", "4", "7", "11", "60", "85", "140"],
    "time": ["9", "10:30", "7:15", "14:00", "18:45", "8:50", "16:20", "12"],
    "price": ["€910", "1,250 euros", "640", "£780", "18k", "2.300 €", "95 euros"],
    "phone": ["0151 2233 8841", "07700 900441", "+34 600 112 233", "06 12 90 44 21", "347 221 0098"],
    "num": ["550912", "88-2041-7", "KD 4471", "0093318", "77120"],
    "plate": ["B-XK 441", "AB12 CDE", "4471 KLM", "FR-882-LT", "EK 220 ZT"],
    "code": ["LH 441", "IC 2013", "TP 1207", "AZ 92", "BA 661", "ICE 578"],
    "car": "Golf Tesla Volvo Fiesta Clio Octavia Prius Panda Corolla Mini Berlingo Zafira".split(),
    "bank": "ING Revolut Santander Monzo Sparkasse Nationwide Fineco".split(),
    "tel": "Vodafone Orange Telia O2 Movistar Iliad".split(),
    "med": "levothyroxine ramipril sertraline metformin Eutirox ibuprofen Omeprazol".split(),
    "street": ["Elm Street", "Mill Lane", "Lindenstraße", "Via Roma", "Station Road"],
}  # fmt: skip
WORDS = {
    "en": {
        "kin": "sister|brother|mum|dad|cousin|aunt|uncle|wife|husband|girlfriend|boyfriend|partner|niece|nephew|grandma|daughter|son|mother-in-law|flatmate",
        "job": "nurse|teacher|plumber|designer|accountant|baker|electrician|lawyer|librarian|pilot|chemist|paramedic|translator|carpenter|waiter|data analyst|vet|midwife|bus driver|developer",
        "food": "peanuts|shellfish|coriander|mushrooms|eggs|kiwi|soy|sesame|gluten|olives|liver|tofu|red meat|aubergine|walnuts|dairy|prawns|cheese",
        "drink": "coffee|tea|oat milk|cola|beer|red wine|matcha|sparkling water", "species": "dog|cat|rabbit|parrot|horse|tortoise|hamster|greyhound",
        "sport": "running|climbing|judo|swimming|tennis|rowing|yoga|football|cycling|padel|fencing", "inst": "cello|piano|drums|trumpet|guitar|clarinet|violin|accordion",
        "ail": "asthma|migraines|type 2 diabetes|hay fever|a bad knee|eczema|high blood pressure|coeliac disease|ADHD|epilepsy|arthritis|sleep apnoea",
        "study": "law|biology|history|nursing|economics|maths|social work|architecture|linguistics", "lang": "German|Polish|Italian|Hindi|Turkish|Portuguese|French|Arabic|Dutch|Swedish",
        "nat": "Thai|Greek|Lebanese|Korean|Mexican|Georgian", "nat2": "Bhutan|Peru|Norway|Chad", "shop": "bakery|bookshop|bike shop|café|nursery", "craft": "upholstery|web design|translation|gardening|bookkeeping",
        "thing": "camper van|flat|new bike|trip to Japan|piano", "o": "1st|2nd|3rd|4th|9th|12th|16th|21st|28th|30th",
        "d": "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday", "m": "January|February|March|April|May|June|July|August|September|October|November|December",
    },
    "de": {
        "kin": "Meine Schwester|Mein Bruder|Meine Mutter|Mein Vater|Meine Cousine|Mein Onkel|Meine Frau|Mein Mann|Meine Freundin|Meine Nichte|Meine Oma|Meine Schwiegermutter",
        "job": "Krankenpflegerin|Lehrer|Klempner|Buchhalterin|Bäcker|Elektriker|Anwältin|Bibliothekarin|Pilot|Hebamme|Tischler|Busfahrerin|Entwicklerin",
        "food": "Erdnüsse|Koriander|Pilze|Eier|Soja|Gluten|Oliven|Fleisch|Fisch|Milch|Käse|Nüsse", "drink": "Kaffee|Tee|Bier|Rotwein|Cola|Hafermilch", "sport": "Joggen|Klettern|Judo|Tennis|Yoga|Rudern",
        "inst": "Cello|Klavier|Schlagzeug|Trompete|Gitarre|Geige", "ail": "Asthma|Migräne|Diabetes|Heuschnupfen|Neurodermitis|Bluthochdruck|Zöliakie|Epilepsie",
        "study": "Jura|Biologie|Geschichte|Pflege|Mathe|Architektur", "lang": "Englisch|Polnisch|Italienisch|Türkisch|Französisch",
        "d": "Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag", "m": "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember",
    },
    "es": {
        "kin": "mi hermana|mi hermano|mi madre|mi padre|mi prima|mi tío|mi mujer|mi marido|mi novia|mi sobrina|mi abuela|mi suegra",
        "job": "enfermera|profesor|fontanero|contable|panadero|electricista|abogada|bibliotecaria|piloto|matrona|carpintero|programadora",
        "food": "los cacahuetes|el cilantro|las setas|el huevo|la soja|el gluten|las aceitunas|la carne|el pescado|la leche|el queso|las nueces", "drink": "el café|el té|la cerveza|el vino tinto|la leche de avena",
        "sport": "correr|la escalada|el judo|el tenis|el yoga|el remo", "inst": "el chelo|el piano|la batería|la trompeta|la guitarra|el violín",
        "ail": "asma|migrañas|diabetes|alergia al polen|eccema|la tensión alta|celiaquía|epilepsia", "study": "Derecho|Biología|Historia|Enfermería|Matemáticas|Arquitectura", "lang": "inglés|polaco|italiano|francés|árabe|alemán",
        "d": "lunes|martes|miércoles|jueves|viernes|sábado|domingo", "m": "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre",
    },
    "fr": {
        "kin": "ma sœur|mon frère|ma mère|mon père|ma cousine|mon oncle|ma femme|mon mari|ma copine|ma nièce|ma grand-mère|ma belle-mère",
        "job": "infirmière|prof|plombier|comptable|boulanger|électricien|avocate|bibliothécaire|pilote|sage-femme|menuisier|développeuse",
        "food": "cacahuètes|coriandre|champignons|œufs|soja|gluten|olives|viande|poisson|lait|fromage|noix", "drink": "café|thé|bière|vin rouge|lait d'avoine", "sport": "la course|l'escalade|le judo|le tennis|le yoga|l'aviron",
        "inst": "violoncelle|piano|batterie|trompette|guitare|violon", "ail": "de l'asthme|des migraines|du diabète|le rhume des foins|de l'eczéma|de la tension|une maladie cœliaque|de l'épilepsie",
        "study": "droit|biologie|histoire|soins infirmiers|maths|architecture", "lang": "anglais|polonais|italien|arabe|allemand|espagnol",
        "d": "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche", "m": "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre",
    },
    "it": {
        "kin": "mia sorella|mio fratello|mia madre|mio padre|mia cugina|mio zio|mia moglie|mio marito|la mia ragazza|mia nipote|mia nonna|mia suocera",
        "job": "l'infermiera|il professore|l'idraulico|la contabile|il fornaio|l'elettricista|l'avvocata|la bibliotecaria|il pilota|l'ostetrica|il falegname|la programmatrice",
        "food": "le arachidi|il coriandolo|i funghi|le uova|la soia|il glutine|le olive|la carne|il pesce|il latte|il formaggio|le noci", "drink": "il caffè|il tè|la birra|il vino rosso|il latte d'avena",
        "sport": "la corsa|l'arrampicata|il judo|il tennis|lo yoga|il canottaggio", "inst": "il violoncello|il pianoforte|la batteria|la tromba|la chitarra|il violino",
        "ail": "l'asma|l'emicrania|il diabete|il raffreddore da fieno|l'eczema|la pressione alta|la celiachia|l'epilessia", "study": "giurisprudenza|biologia|storia|infermieristica|matematica|architettura", "lang": "inglese|polacco|francese|arabo|tedesco|spagnolo",
        "d": "lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica", "m": "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre",
    },
}  # fmt: skip
OPENINGS = {
    "en": [
        "oh and ",
        "btw ",
        "so ",
        "anyway, ",
        "also, ",
        "by the way, ",
        "hey, ",
        "well, ",
        "one more thing: ",
        "quick update: ",
    ],
    "de": ["ach ja, ", "übrigens, ", "also ", "naja, ", "du, "],
    "es": ["por cierto, ", "ah, y ", "bueno, ", "oye, "],
    "fr": ["au fait, ", "ah et ", "bon, ", "sinon, "],
    "it": ["comunque, ", "ah, e ", "senti, ", "tra l'altro, "],
}
JOINED_OUT = {"transient", "ack"}
SLOT = re.compile(r"\{([a-z]+?[01]?)(2?)\}")
DOES = {"r": "replaces", "e": "ends", "d": "denies", "f": "refines", "s": "same"}
CHANGES = {"replaces", "ends", "denies"}
APART = 4
"""Messages that leave a belief alone, of those that each belief of a book is shown with."""


def fill(text: str, language: str, chooser: random.Random, values: dict[str, str] | None = None) -> str:
    """``values`` carries what was chosen from one text of a pair to the other."""
    chosen = {} if values is None else values

    def value(match: re.Match[str]) -> str:
        name = match[1] + match[2]
        if name not in chosen:
            words = WORDS[language].get(match[1]) or WORDS["en"].get(match[1]) if match[1] not in SHARED else None
            among = words.split("|") if isinstance(words, str) else SHARED[match[1]]
            taken = {chosen.get(match[1]), chosen.get(match[1] + "2")}
            chosen[name] = chooser.choice([word for word in among if word not in taken])
        return chosen[name]

    return SLOT.sub(value, text)


def in_style(text: str, language: str, chooser: random.Random) -> str:
    """A message as people type it: with and without opening, capital and full stop."""
    style = chooser.random()
    if style < 0.25:
        text = chooser.choice(OPENINGS[language]) + (text[:1].lower() + text[1:] if not text.startswith("I") else text)
    if chooser.random() < 0.3:
        text = text.lower()
    elif chooser.random() < 0.5:
        text = text[:1].upper() + text[1:]
    return text + "." if text[-1:].isalnum() and chooser.random() < 0.45 else text


def messages(language: str, each: int, chooser: random.Random) -> list[dict[str, object]]:
    lines = [line.split("\t") for name in ("", "told_") for line in _lines(f"{name}{language}.txt")]
    frames = [(labels.split(","), text) for labels, text, *_ in lines]
    rows: list[dict[str, object]] = []
    for labels, text in frames:
        styled = (in_style(fill(text, language, chooser), language, chooser) for _ in range(each if "{" in text else 4))
        rows += [{"t": message, "role": "user", "labels": labels} for message in styled]
    for _ in range(len(rows)):
        parts = chooser.sample(frames, chooser.choice((2, 2, 3)))
        text = " ".join(_closed(in_style(fill(part, language, chooser), language, chooser)) for _, part in parts)
        labels = list(dict.fromkeys(label for names, _ in parts for label in names))
        if set(labels) - JOINED_OUT:
            labels = [label for label in labels if label not in JOINED_OUT]
        if not ("unreal" in labels and len(labels) > 1):
            rows.append({"t": text, "role": "user", "labels": labels})
    return rows


def statements(language: str, each: int, chooser: random.Random) -> list[dict[str, object]]:
    """Pairs of a plain statement and a message that says it: alone, told of the owner, or with something else."""
    frames = [line.split("\t") for line in _lines(f"told_{language}.txt")]
    rows: list[dict[str, object]] = []
    for _, message, *told in frames:
        facts = told[0].split(" | ") if told else []
        for _ in range(each if "{" in message else 3):
            values: dict[str, str] = {}
            text = fill(message, language, chooser, values)
            others = [fill(chooser.choice(frames)[1], language, chooser) for _ in range(3)]
            label = "same" if len(facts) == 1 else "refines"
            for fact in facts:
                by_name = in_third_person(text, "Owner") if language == "en" else text
                joined = [_closed(in_style(part, language, chooser)) for part in (text, others[0])]
                chooser.shuffle(joined)
                news = [[in_style(text, language, chooser), label], [by_name, label], [" ".join(joined), "refines"]]
                news += [[in_style(other, language, chooser), "unrelated"] for other in others[1:] if other != text]
                rows.append({"old": fill(fact, language, chooser, dict(values)), "news": news})
    return rows


Book = tuple[list[str], list[tuple[dict[int, str], str]]]
"""Beliefs, and messages with what they do to the beliefs of a number; -1 stands for chatter."""


def _books(language: str) -> list[Book]:
    books: list[Book] = []
    for block in "\n".join(_lines(f"books_{language}.txt")).split("\n\n"):
        beliefs: list[str] = []
        said: list[tuple[dict[int, str], str]] = []
        for line in block.splitlines():
            sign, _, text = line.partition(" ")
            if sign == "=":
                beliefs.append(text)
                continue
            does: dict[int, str] = {} if sign != "-" else {-1: "nothing"}
            while sign == ">" and (match := re.match(r"(\d+)([redfs]) ", text)):
                does[int(match[1]) - 1], text = DOES[match[2]], text[match.end() :]
            said.append((does, text))
        books.append((beliefs, said))
    return books


def books(language: str, each: int, chooser: random.Random) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Pairs and messages of whole books: what changes one belief leaves the others, and those of other people, alone."""
    rows: list[dict[str, object]] = []
    turns: list[dict[str, object]] = []
    among = _books(language)
    changes = [text for _, said in among for does, text in said if CHANGES & {*does.values()}]
    for _ in range(each):
        for beliefs, said in among:
            values: dict[str, str] = {}
            filled = [fill(belief, language, chooser, values) for belief in beliefs]
            told = [(does, in_style(fill(text, language, chooser, values), language, chooser)) for does, text in said]
            own = {text for _, text in said}
            for number, belief in enumerate(filled):
                news = [[text, does[number]] for does, text in told if number in does]
                others = [text for does, text in told if number not in does]
                apart = chooser.sample(others, min(APART, len(others)))
                news += [[text, "coexists" if _share_a_word(belief, text) else "unrelated"] for text in apart]
                elsewhere = (fill(text, language, chooser) for text in chooser.sample(changes, 2) if text not in own)
                news += [[in_style(text, language, chooser), "unrelated"] for text in elsewhere]
                rows.append({"old": belief, "news": news})
            for does, text in told:
                if -1 in does:
                    turns.append({"t": text, "role": "user", "labels": ["transient"]})
                elif CHANGES & {*does.values()}:
                    turns.append({"t": text, "role": "user", "labels": ["change"]})
                elif not does:
                    turns.append({"t": text, "role": "user", "labels": ["fact"]})
    return rows, turns


def _share_a_word(belief: str, text: str) -> bool:
    words = [{word for word in re.findall(r"\w+", part.casefold()) if len(word) > 2} for part in (belief, text)]
    return bool(words[0] & words[1])


def _lines(name: str) -> list[str]:
    return (HERE / name).read_text(encoding="utf-8").splitlines()


def _closed(text: str) -> str:
    return text if text[-1:] in ".!?" else text + "."


def pairs(each: int, chooser: random.Random) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    frames = [line.split("\t") for line in (HERE / "pairs.txt").read_text(encoding="utf-8").splitlines()]
    beliefs: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for language, old, label, new in frames:
        beliefs.setdefault((language, old), []).append((label, new))
    unsaid = {
        language: [line.split("\t")[1] for line in (HERE / f"{language}.txt").read_text(encoding="utf-8").splitlines()]
        for language in WORDS
    }
    for (language, old), statements in beliefs.items():
        for _ in range(each):
            values: dict[str, str] = {}
            belief = fill(old, language, chooser, values)
            news = [
                [in_style(fill(new, language, chooser, dict(values)), language, chooser), label]
                for label, new in statements
            ]
            others = chooser.sample(unsaid[language], 2)
            news += [[in_style(fill(text, language, chooser), language, chooser), "unrelated"] for text in others]
            rows.append({"old": belief, "news": news})
    return rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--each", type=int, default=24)
    arguments = options.parse_args()
    chooser = random.Random(arguments.seed)
    arguments.out.mkdir(parents=True, exist_ok=True)
    turns = [row for language in WORDS for row in messages(language, arguments.each, chooser)]
    from_books = [books(language, arguments.each, chooser) for language in WORDS]
    turns += [row for _, said in from_books for row in said]
    with (arguments.out / "turns_frames.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in turns)
    with (arguments.out / "pairs_frames_everyday.jsonl").open("w", encoding="utf-8") as file:
        told = [row for language in WORDS for row in statements(language, max(1, arguments.each // 3), chooser)]
        rows = [*pairs(arguments.each, chooser), *told, *(row for compared, _ in from_books for row in compared)]
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    print(len(turns), "messages")


if __name__ == "__main__":
    main()
