"""What secrets look like: one rule a kind, the most telling first."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from commonplace.security.signs import (
    aws_secret,
    card_number,
    discord_token,
    iban,
    issued,
    password_like,
    password_told,
    pem,
    random_looking,
    user_and_password,
)

Judgement = Callable[[str], bool]


def always(_: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class SecretRule:
    """``hints``: lower case, one of them stands in every match; none: always tried. The group ``s`` is the secret."""

    kind: str
    hints: tuple[str, ...]
    pattern: str
    real: Judgement
    follows: Judgement = always
    """Whether the two dozen characters before the match, in lower case, let it count."""


EDGE = r"(?<![A-Za-z0-9_-])"
END = r"(?![A-Za-z0-9_-])"


def _token(kind: str, hints: str, body: str) -> SecretRule:
    return SecretRule(kind, tuple(hints.split()), f"{EDGE}(?:{body}){END}", issued)


PASSWORD_NAMES = r"pass(?:word|wort|wd|phrase|code)|pwd|kennwort|mot de passe|contraseña|senha|hasło|пароль"
PASSWORD_HINTS = "pass pwd kennwort contraseña senha hasło пароль"
KEY_OF = (
    r"(?:api|access|account|auth|client|consumer|deploy|encryption|license|master|private|secret|service|signing"
    r"|subscription|webhook)[_ -]?$"
)
HARMLESS = r"(?:(?:page|next|cursor|continuation|eos|bos|unk|pad|cls|sep|mask|special|stop|public)[_-]?|::\w*)$"
ASSIGNED = r"""["']?\]?\s{0,3}(?::=|=>|[:=]|value=)\s{0,3}"""
VALUE = r"""(?P<q>["'`])?(?P<s>(?(q)[^"'`\s\\]|[^\s"'`,;(){}\[\]<>|\\]){%d,400}+)(?(q)(?P=q)|(?![(\[{]))"""
"""In quotes, or bare and then no call, index or template."""


def not_harmless(before: str) -> bool:
    """A page token or a padding token opens nothing."""
    return not re.search(HARMLESS, before)


def key_of_something(before: str) -> bool:
    return bool(re.search(KEY_OF, before)) and not_harmless(before)


def stands_alone(before: str) -> bool:
    return not before[-1:].isalnum()


def _assignment(
    kind: str, names: str, shortest: int, real: Judgement, hints: str, follows: Judgement = not_harmless
) -> SecretRule:
    return SecretRule(kind, tuple(hints.split()), f"(?i)(?:{names}){ASSIGNED}{VALUE % shortest}", real, follows)


RULES: tuple[SecretRule, ...] = (
    SecretRule(
        "private key",
        ("private key",),
        r"(?s)-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----).){0,20000}"
        r"-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|(?:[\s\\nr]{1,8}[A-Za-z0-9+/=]{16,})+)",
        pem,
    ),
    _token("private key", "age-secret-key-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    _token("aws access key", "akia asia abia acca", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    SecretRule(
        "aws secret key",
        ("secret",),
        r"(?i)(?:aws[\w .:\"'=>-]{0,30}?secret|secret_?access_?key)[\w \"'\]-]{0,30}?(?:[=:]|=>)\s{0,3}[\"']?"
        r"(?P<s>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
        aws_secret,
    ),
    _token("google api key", "aiza", r"AIza[0-9A-Za-z_-]{30,40}"),
    _token("google oauth secret", "gocspx-", r"GOCSPX-[A-Za-z0-9_-]{24,32}"),
    _token("google oauth token", "ya29. 1//0", r"ya29\.[A-Za-z0-9_-]{20,}(?:\.[A-Za-z0-9_-]+)*|1//0[A-Za-z0-9_-]{38,}"),
    SecretRule(
        "azure storage key",
        ("accountkey=", "sharedaccesskey="),
        r"(?i)(?:Account|SharedAccess)Key=(?P<s>[A-Za-z0-9+/]{43,86}={1,2})",
        issued,
    ),
    SecretRule("azure signature", ("sig=",), r"[?&;]sig=(?P<s>[A-Za-z0-9%+/]{40,100}(?:%3D|=))", issued),
    SecretRule("azure client secret", ("q~",), EDGE + r"[A-Za-z0-9_~.]{3}[78]Q~[A-Za-z0-9_~.-]{31,34}" + END, issued),
    _token(
        "github token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{30,255}"
    ),
    _token(
        "gitlab token", "glpat- gldt- glrt- glptt- glft- glcbt- glsoat-", r"gl(?:pat|dt|rt|ptt|ft|cbt|soat)-[\w.-]{16,}"
    ),
    _token("slack token", "xox xapp-", r"xox[abposre](?:\.xox[bp])?-[A-Za-z0-9-]{12,}|xapp-\d-[A-Za-z0-9-]{20,}"),
    SecretRule(
        "slack webhook",
        ("hooks.slack.com",),
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[A-Za-z0-9/]{30,})",
        issued,
    ),
    _token("stripe key", "sk_ rk_ whsec_", r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,}=*"),
    _token("anthropic key", "sk-ant-", r"sk-ant-[a-z0-9]{2,10}-[A-Za-z0-9_-]{20,}"),
    _token("openrouter key", "sk-or-", r"sk-or-v\d-[a-f0-9]{48,64}"),
    _token("openai key", "sk-", r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9]{20,}"),
    _token(
        "model provider key",
        "gsk_ pplx- r8_ xai- nvapi- fw_",
        r"gsk_[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{37}|xai-[A-Za-z0-9]{60,}|nvapi-[\w-]{60,}|fw_[A-Za-z0-9]{22,}",
    ),
    _token("hugging face token", "hf_", r"hf_[A-Za-z0-9]{30,}"),
    _token("commonplace token", "cpl_", r"cpl_[A-Za-z0-9_-]{40,}"),
    _token("commonplace token", "cpo_", r"cpo_[A-Za-z0-9_.-]{40,}"),
    _token("npm token", "npm_", r"npm_[A-Za-z0-9]{30,40}"),
    _token("pypi token", "pypi-", r"pypi-Ag[A-Za-z0-9_-]{50,}"),
    _token(
        "package registry token",
        "rubygems_ dckr_ cio",
        r"rubygems_[a-f0-9]{48}|dckr_[po]at_[\w-]{20,}|cio[A-Za-z0-9]{32}",
    ),
    SecretRule("twilio key", ("sk",), EDGE + r"SK[0-9a-f]{32}" + END, issued),
    _token("sendgrid key", "sg.", r"SG\.[\w-]{16,24}\.[\w-]{30,50}"),
    SecretRule(
        "mail service key",
        ("key-", "-us", "xkeysib-"),
        EDGE + r"(?:key-[0-9a-f]{32}|[0-9a-f]{32}-us\d{1,2}|xkeysib-[0-9a-f]{64}-\w{16})" + END,
        issued,
    ),
    SecretRule("telegram bot token", (":aa",), r"(?<![A-Za-z0-9_])\d{8,10}:AA[A-Za-z0-9_-]{32,34}" + END, issued),
    SecretRule(
        "discord webhook", ("/api/webhooks/",), r"discord(?:app)?\.com/api/webhooks/\d{15,21}/(?P<s>[\w-]{50,})", issued
    ),
    SecretRule(
        "discord token", (".",), EDGE + r"[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,38}" + END, discord_token
    ),
    _token(
        "cloud platform token",
        "doo_v1_ dop_v1_ dor_v1_ dapi hvs. hvb. sbp_ pscale_ nfp_ hrku- fo1_ fm2_ tskey- .atlasv1.",
        r"do[opr]_v1_[a-f0-9]{64}|dapi[a-f0-9]{32}(?:-\d)?|hv[sb]\.[\w-]{24,}|sbp_[a-f0-9]{40}"
        r"|pscale_(?:tkn|pw|oauth)_[\w.-]{32,}|nfp_[A-Za-z0-9]{36,}|HRKU-[\w-]{36,}|(?:fo1|fm2)_[\w+/=-]{40,}"
        r"|tskey-[a-z]+-\w{8,}-\w{20,}|[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}",
    ),
    _token(
        "service token",
        "lin_api_ ntn_ secret_ figd_ pmak- atatt3 shp sq0 glsa_ glc_ nrak- sntry dp.pt. eaac dt0c01.",
        r"lin_api_[A-Za-z0-9]{40}|ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}|figd_[\w-]{40,}|ATATT3[\w=-]{60,}"
        r"|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|sq0[a-z]{3}-[\w-]{22,43}"
        r"|glsa_\w{32}_[a-f0-9]{8}|glc_[\w+/=]{40,}|NRAK-[A-Z0-9]{27}|sntry[su]_[\w+/=-]{40,}"
        r"|dp\.pt\.[A-Za-z0-9]{40,}|EAAC[A-Za-z0-9]{60,}|dt0c01\.\w{24}\.\w{64}",
    ),
    _token(
        "json web token",
        "eyj",
        r"eyJ[\w-]{8,}\.(?:eyJ[\w-]{8,}\.[\w-]{10,}|[\w-]*(?:\.[\w-]{10,}){3})",
    ),
    SecretRule(
        "one-time password seed",
        ("otpauth://",),
        r"otpauth://[^\s\"']{1,300}?[?&]secret=(?P<s>[A-Z2-7a-z]{16,})",
        issued,
    ),
    SecretRule(
        "password in url",
        ("://",),
        r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://(?P<u>[^\s/:@\"'<>`]{0,100}):(?P<s>[^\s/@\"'<>`]{1,200})@(?=[\w\[.-])",
        issued,
    ),
    SecretRule(
        "basic auth", ("basic",), r"(?i)\bbasic\s+(?P<s>[A-Za-z0-9+/]{8,400}={0,2})(?![\w+/=])", user_and_password
    ),
    SecretRule("bearer token", ("bearer",), r"(?i)\bbearer\s+(?P<s>[A-Za-z0-9._~+/-]{16,}=*)", random_looking),
    SecretRule(
        "password",
        ("curl", "sshpass", "mysql", "--password", "--passwd", "--secret", "login"),
        r"(?i)(?:\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,64}:|\bsshpass\s+-p\s?[\"']?"
        r"|\bmysql(?:dump|admin)?\b[^\n]{0,200}?\s-p|--(?:password|passwd|secret)[ =][\"']?"
        r"|\blogin\s+\S{1,64}\s+password\s+)(?P<s>[^\s\"'`]{5,200})",
        password_like,
    ),
    _assignment("password", PASSWORD_NAMES, 6, password_like, PASSWORD_HINTS),
    _assignment("password", r"pw|pass(?=[\"']?\s{0,3}[:=]\s{0,3}[\"'])", 6, password_like, "pw pass", stands_alone),
    _assignment("api key", r"token|secret|credentials?", 16, random_looking, "token secret credential"),
    _assignment("api key", "key(?:_base)?", 16, random_looking, "key", key_of_something),
    SecretRule(
        "api key",
        ("_key", "_token"),
        r"(?<![A-Za-z0-9_])(?!CACHE|PRIMARY|SORT|PUBLIC|FOREIGN|PARTITION|NEXT|PAGE)[A-Z][A-Z0-9_]{1,40}_(?:KEY|TOKEN)"
        r"\s?[=:]\s?[\"']?(?P<s>[A-Za-z0-9+/_-]{20,200}={0,2})(?![\w(.\[])",
        random_looking,
    ),
    SecretRule(
        "api key",
        ("--",),
        r"--(?:[a-z]{1,20}-)?(?:token|api-?key|access-?key|secret)[ =][\"']?(?P<s>[A-Za-z0-9+/_.=-]{16,400})",
        random_looking,
    ),
    SecretRule(
        "session cookie",
        ("cookie",),
        r"(?i)\bcookie[^\n]{0,300}?(?:session|sess|sid|sessid|session_?id)=(?P<s>[A-Za-z0-9%._-]{20,400})",
        random_looking,
    ),
    SecretRule(
        "password",
        ("<pass", "<pwd", "<secret"),
        r"(?i)<(?:password|passwd|pwd|secret)>\s{0,3}(?P<s>[^<\s]{6,200})(?=\s{0,3}</)",
        password_like,
    ),
    SecretRule(
        "password",
        ("pass",),
        r"(?i)\bpass(?:word|wort|phrase|code) (?P<q>[\"'`])(?P<s>[^\"'`\s]{6,100})(?P=q)",
        password_like,
    ),
    _assignment("secret", "secret", 6, password_like, "secret"),
    SecretRule(
        "password",
        ("password", "passphrase", "passcode"),
        r"(?i)\bpass(?:word|phrase|code)(?: (?:for|of|to|on|in) [^\n.:;,]{1,40}?)? (?:is|was)(?: now)?:? "
        r"[\"'`]?(?P<s>[^\s\"'`,;]{7,100}[^\s\"'`,;.?!])",
        password_told,
    ),
    SecretRule("pin", ("pin",), r"\b(?:PIN|[Mm]y pin)(?: is|\s?[:=])\s?(?P<s>\d{4,6})(?![\w.-])", always),
    SecretRule(
        "card number",
        (),
        r"(?<![\w.,-])(?<!\w\()[2-6]\d{3}(?:[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}|[ -]?\d{6}[ -]?\d{5})(?![\w-]|\.\d)",
        card_number,
    ),
    SecretRule(
        "iban", (), r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])", iban
    ),
)

KINDS: tuple[str, ...] = tuple(dict.fromkeys(rule.kind for rule in RULES))
"""Every kind there is, for the docs and their test."""
