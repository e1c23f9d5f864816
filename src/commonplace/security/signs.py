"""Checks whether a match is a secret. Pure, and lenient to placeholders that people write."""

import base64
import binascii
import re
from collections import Counter
from math import log2

STANDS_FOR = r"(?i)placeholder|your[_-]|[_-]here\b|change_?me|replace|insert|dummy|redacted|\.\.\.|…|x{4}|(.)\1{5}"
EXAMPLES = r"(?i)example|sample|foobar"
TEMPLATE = r"\$\{|\$\(|\{\{|%\(|<[^>]*>|^\$\w+$|^%\w+%$|^\{\w*\}$|^\*+$|^•+$"
KNOWN = """
password passwd pass pwd secret user username admin root guest test token postgres mysql redis minioadmin rabbitmq
changeit letmein login tiger pw none null true false undefined required optional string hidden mypassword
"""
WELL_KNOWN = frozenset(KNOWN.split())


def stands_for(value: str) -> bool:
    """Whether the value is a placeholder for a secret."""
    return bool(re.search(STANDS_FOR, value) or re.search(TEMPLATE, value)) or value.lower() in WELL_KNOWN


def example(value: str) -> bool:
    """Whether the value is an example or placeholder, or says that it is not a secret."""
    return bool(re.search(EXAMPLES, value)) or stands_for(value)


def issued(value: str) -> bool:
    """A vendor's token: its shape identifies it. Examples from manuals are removed too, which loses nothing."""
    return not stands_for(value)


def random_looking(value: str) -> bool:
    """Letters and digits as a generator makes them, not a name."""
    mixed = bool(re.search(r"[A-Za-z]", value) and re.search(r"\d", value))
    return mixed and entropy(value) >= 3.0 and not example(value) and not named(value)


def password_like(value: str) -> bool:
    """At least two classes of characters, and not a word, path, address, name or piece of code."""
    sorts = sum(bool(re.search(sort, value)) for sort in (r"[a-z]", r"[A-Z]", r"\d", r"[^\sA-Za-z0-9_.-]"))
    telling = bool(re.search(r"\d|[^\sA-Za-z0-9_.:'-]", value))
    return sorts >= 2 and telling and " " not in value and not example(value) and not named(value)


def password_told(value: str) -> bool:
    """In a sentence, text after "password is" often only describes one; this must not look like anything else."""
    return password_like(value) and "-" not in value and bool(re.search(r"\d", value)) and value != value.lower()


def named(value: str) -> bool:
    """A path, an address, a call, a constant, or words and small numbers joined by ``-_./:``."""
    if re.match(r"[/~.\\]|[A-Za-z]:\\|\w+://|[\w.]+[(\[]", value):
        return True
    constant, dotted = r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+", r"[A-Za-z_]+\d{0,5}[A-Za-z_]*(\.[A-Za-z_]+\d{0,5}[A-Za-z_]*)+"
    if re.fullmatch(f"{constant}|{dotted}", value):
        return True
    parts = re.split(r"[-_./:,+=]", value.rstrip("?!;,.:"))
    return all(re.fullmatch(r"[A-Za-z]{0,20}|\d{1,4}|[A-Za-z]{1,8}\d{1,3}|v\d+", part) for part in parts) and (
        len(parts) > 1 or value.isalpha() or value.isdigit()
    )


def entropy(value: str) -> float:
    """Shannon entropy in bits per character."""
    return -sum(count / len(value) * log2(count / len(value)) for count in Counter(value).values())


def aws_secret(value: str) -> bool:
    hexadecimal = bool(re.fullmatch(r"[0-9a-fA-F]+", value))
    return not hexadecimal and entropy(value) >= 4.0 and issued(value)


def pem(block: str) -> bool:
    body = re.sub(r"-----[A-Z0-9 ]+-----", "", block)
    return bool(re.search(r"[A-Za-z0-9+/=]{16}", body))


def user_and_password(value: str) -> bool:
    try:
        user, colon, password = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).partition(b":")
    except binascii.Error:
        return False
    return bool(colon and password) and (user + password).isascii() and not example(password.decode("ascii"))


def discord_token(value: str) -> bool:
    head = value.partition(".")[0]
    try:
        return base64.b64decode(head + "=" * (-len(head) % 4), altchars=b"-_").isdigit()
    except binascii.Error:
        return False


def card_number(value: str) -> bool:
    """Luhn's check, with a length that the issuer's first digits allow."""
    digits = re.sub(r"\D", "", value)
    if not re.fullmatch(r"4\d{15}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6(?:011|5\d\d)\d{12}|35\d{14}", digits):
        return False
    doubled = [int(digit) * (1 + at % 2) for at, digit in enumerate(reversed(digits))]
    return sum(number - 9 * (number > 9) for number in doubled) % 10 == 0 and len(set(digits)) > 1


COUNTRIES = """
AD24 AE23 AT20 BE16 BG22 BR29 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GR27 HR21 HU28 IE22 IL23 IS26 IT27 KW30
LI21 LT20 LU20 LV21 MC27 MT31 NL18 NO15 PL28 PT25 QA29 RO24 RS22 SA24 SE24 SI19 SK24 SM27 TR26 UA29
"""
IBAN_LENGTHS = {country[:2]: int(country[2:]) for country in COUNTRIES.split()}


def iban(value: str) -> bool:
    bare = value.replace(" ", "")
    if len(bare) != IBAN_LENGTHS.get(bare[:2]):
        return False
    return int("".join(str(int(letter, 36)) for letter in bare[4:] + bare[:4])) % 97 == 1
