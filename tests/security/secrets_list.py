"""What must go and what must stay. Every secret is put together when it is asked for; none stands here whole."""

import base64
import json
from hashlib import blake2b

LOWER, UPPER, DIGITS = "abcdefghijkmnopqrstuvwyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "0123456789"
ALPHABETS = {
    "alnum": LOWER + UPPER + DIGITS,
    "word": LOWER + UPPER + DIGITS + "_",
    "url": LOWER + UPPER + DIGITS + "-",
    "b64": LOWER + UPPER + DIGITS + "+/",
    "hex": "0123456789abcdef",
    "upper": UPPER + DIGITS,
    "base32": UPPER + "234567",
}


def made(sort: str, size: int, seed: str = "") -> str:
    """Letters without a sense, the same on every run."""
    alphabet, out, count = ALPHABETS[sort], "", 0
    while len(out) < size:
        drawn = blake2b(f"{sort}/{size}/{seed}/{count}".encode(), digest_size=32).digest()
        out, count = out + "".join(alphabet[byte % len(alphabet)] for byte in drawn), count + 1
    return out[:size]


def b64url(value: object) -> str:
    data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def pem(label: str, *, lines: int = 6, end: bool = True, glue: str = "\n") -> str:
    body = [made("b64", 64, f"{label}{number}") for number in range(lines)]
    rows = ["-----BEGIN " + label + "-----", *body, *(["-----END " + label + "-----"] if end else [])]
    return glue.join(rows)


def luhn(start: str, size: int) -> str:
    digits = (start + "731905842617039")[: size - 1]
    total = sum(n - 9 * (n > 9) for n in (int(d) * (2 - at % 2) for at, d in enumerate(reversed(digits))))
    return digits + str(-total % 10)


def iban(country: str, account: str) -> str:
    number = int("".join(str(int(letter, 36)) for letter in account + country + "00"))
    return f"{country}{98 - number % 97:02d}{account}"


def grouped(text: str, size: int = 4, by: str = " ") -> str:
    return by.join(text[at : at + size] for at in range(0, len(text), size))


JWT = ".".join(["ey" + b64url({"alg": "HS256", "typ": "JWT"})[2:], b64url({"sub": "1", "iat": 1}), made("url", 43)])
HOOK = "/".join(["T" + made("upper", 8), "B" + made("upper", 9), made("alnum", 24)])
CARD = luhn("4929", 16)
POSITIVES: list[tuple[str, str, str]] = [
    # (kind, secret, the text it stands in, with {} for it)
    ("aws access key", "AKIA" + made("base32", 16), "our deploy user is {} in eu-west-1"),
    ("aws access key", "ASIA" + made("base32", 16), "AWS_ACCESS_KEY_ID={}\nAWS_REGION=eu-west-1"),
    ("aws secret key", made("b64", 40, "s"), "aws_secret_access_key = {}"),
    ("aws secret key", made("b64", 40, "t"), '{{"SecretAccessKey": "{}", "Expiration": "2026-01-01"}}'),
    ("google api key", "AIza" + made("url", 35), "const key = '{}';"),
    ("google oauth secret", "GOCSPX-" + made("url", 28), '"client": "{}"'),
    ("google oauth token", "ya29." + made("url", 60), "access: {} for an hour"),
    ("azure storage key", made("b64", 86) + "==", "AccountName=files;AccountKey={};EndpointSuffix=core.windows.net"),
    ("azure signature", made("alnum", 43) + "%3D", "https://x.blob.core.windows.net/a?sv=2024-01-01&sig={}"),
    ("azure client secret", made("alnum", 3) + "8Q~" + made("alnum", 34), "the app registration uses {} until June"),
    ("github token", "ghp_" + made("alnum", 36), "git clone https://{}@github.com/ada/book"),
    ("github token", "gho_" + made("alnum", 36), "export GH={}"),
    ("github token", "github_pat_" + made("alnum", 22) + "_" + made("alnum", 59), "use {} for CI"),
    ("gitlab token", "glpat-" + made("url", 20), "PRIVATE-TOKEN: {}"),
    ("slack token", "xoxb-" + made("alnum", 12) + "-" + made("alnum", 24), "bot logs in with {}"),
    ("slack token", "xapp-1-" + made("upper", 11) + "-" + made("hex", 40), "socket mode: {}"),
    ("slack webhook", HOOK, "post to https://hooks.slack.com/services/{} when it fails"),
    ("stripe key", "sk_" + "live_" + made("alnum", 24), "stripe.api_key = '{}'"),
    ("stripe key", "rk_" + "test_" + made("alnum", 24), "restricted: {}"),
    ("stripe key", "whsec_" + made("alnum", 32), "the endpoint signs with {}"),
    ("anthropic key", "sk-" + "ant-api03-" + made("url", 93), "ANTHROPIC_API_KEY={}"),
    ("openai key", "sk-" + "proj-" + made("url", 60), "client = OpenAI(api_key='{}')"),
    ("openai key", "sk-" + made("alnum", 48), "I pasted {} in the chat, please ignore it"),
    ("openrouter key", "sk-" + "or-v1-" + made("hex", 64), "OPENROUTER={}"),
    ("model provider key", "gsk_" + made("alnum", 52), "groq: {}"),
    ("model provider key", "r8_" + made("alnum", 37), "replicate wants {}"),
    ("hugging face token", "hf_" + made("alnum", 34), "huggingface-cli login --token {}"),
    ("npm token", "npm_" + made("alnum", 36), "//registry.npmjs.org/:_authToken={}"),
    ("pypi token", "pypi-" + "AgEIcHlwaS5vcmc" + made("url", 60), "twine upload -u __token__ with {}"),
    ("package registry token", "dckr_pat_" + made("url", 27), "docker login, then {}"),
    ("twilio key", "SK" + made("hex", 32), "Twilio: {}"),
    ("sendgrid key", "SG." + made("url", 22) + "." + made("url", 43), "mail goes out with {}"),
    ("mail service key", "key-" + made("hex", 32), "mailgun {}"),
    ("mail service key", made("hex", 32) + "-us" + "14", "mailchimp {} list 7"),
    ("telegram bot token", "5312847701:AA" + made("url", 33), "the bot father gave me {} yesterday"),
    ("discord token", ".".join([b64url("918273645546372819"), made("url", 6), made("url", 27)]), "client.run('{}')"),
    ("discord webhook", made("url", 68), "https://discord.com/api/webhooks/918273645546372819/{}"),
    ("cloud platform token", "dop_v1_" + made("hex", 64), "doctl auth init -t {}"),
    ("cloud platform token", "dapi" + made("hex", 32), "databricks {} expires in May"),
    ("cloud platform token", "hvs." + made("url", 60), "vault login {}"),
    ("service token", "lin_api_" + made("alnum", 40), "linear: {}"),
    ("service token", "ntn_" + made("alnum", 46), "notion: {}"),
    ("service token", "shpat_" + made("hex", 32), "shop admin {}"),
    ("service token", "ATATT3" + made("url", 100), "jira {}"),
    ("service token", "glsa_" + made("alnum", 32) + "_" + made("hex", 8), "grafana {}"),
    ("json web token", JWT, "Cookie: session={}; path=/"),
    ("json web token", JWT[:-3] + "Zz9", "it returned {} and then 403"),
    ("one-time password seed", made("base32", 32), "otpauth://totp/Shop:ada?secret={}&issuer=Shop"),
    ("private key", pem("RSA PRIVATE KEY"), "the server uses\n{}\nsince March"),
    ("private key", pem("OPENSSH PRIVATE KEY"), "{}"),
    ("private key", pem("EC PRIVATE KEY", end=False), "cut off here:\n{}"),
    ("private key", pem("PRIVATE KEY", glue="\\n"), '{{"type": "service_account", "key": "{}\\n"}}'),
    ("private key", pem("PGP PRIVATE KEY BLOCK"), "backup:\n{}"),
    ("private key", "AGE-SECRET-" + "KEY-1" + made("upper", 58), "# created today\n{}"),
    ("password in url", "s3" + "cr3tPa55", "postgresql://ada:{}@db.internal:5432/book"),
    ("password in url", "Tr0ub4" + "dor&3", "redis://:{}@cache:6379/0 is the broker"),
    ("password in url", "hunter" + "2", "amqp://worker:{}@mq/jobs"),
    ("basic auth", base64.b64encode(b"ada:" + b"lovelace1815").decode(), "Authorization: Basic {}"),
    ("bearer token", made("alnum", 40, "b"), "curl -H 'Authorization: Bearer {}' https://api.test/v1"),
    ("password", "Winter" + "2024!", "curl -u ada:{} https://host/x"),
    ("password", "Qw3rty" + "u10p", "sshpass -p {} ssh ada@host"),
    ("password", "m0nkey" + "B4r", "machine host login ada password {}"),
    ("password", "hunt3r" + "2x", "mysql -u root -p{} shop"),
    ("password", "Sommer" + "2019!", "DB_PASSWORD={}"),
    ("password", "k4ff33" + "klatsch", 'password: "{}"'),
    ("password", "N0tSo" + "Secret#9", "Server=db;Database=shop;User Id=sa;Password={};Encrypt=true"),
    ("password", "b4tt3ry" + "Staple", '{{"user": "ada", "password": "{}"}}'),
    ("password", "Tr41n" + "s2Oslo", "smtp.passwd => '{}'"),
    ("password", "Blue" + "Whale77", "my wifi password is {}, the guest one is open"),
    ("password", "Xk9#" + "mPq2v", "The admin password for the staging server is {}."),
    ("password", "geh31m" + "nis", "Passwort: {}"),
    ("pin", "48" + "21", "my PIN is {}, do not tell"),
    ("secret", "p4ssw" + "0rt!", 'session.secret = "{}"'),
    ("api key", made("alnum", 32, "k"), "API_KEY={}"),
    ("api key", made("hex", 40, "k"), 'auth_token: "{}"'),
    ("api key", made("url", 44, "k"), "  clientSecret: '{}',"),
    ("api key", made("alnum", 24, "w"), 'headers["X-Api-Key"] = "{}"'),
    ("api key", made("b64", 44, "w"), "export SIGNING_KEY='{}'"),
    ("card number", CARD, "she paid with {} last time"),
    ("card number", grouped(luhn("5412", 16)), "card {} valid until 09/28"),
    ("card number", "-".join([luhn("3714", 15)[:4], luhn("3714", 15)[4:10], luhn("3714", 15)[10:]]), "amex {}."),
    ("iban", grouped(iban("DE", "370400440532013000")), "send it to {} please"),
    ("iban", iban("GB", "NWBK60161331926819"), "IBAN {}"),
    ("iban", grouped(iban("CH", "00762011623852957")), "Konto {} (Zürich)"),
]

NEGATIVES: list[str] = [
    # prose
    "I forgot my password again and had to reset it.",
    "The password must be at least 12 characters long.",
    "Her password is too short, the form says.",
    "password: required",
    "Password reset emails arrive late on Mondays.",
    "The password is sha256-hashed before it is stored.",
    "The password is case-sensitive and expires after 90 days.",
    "Our secret: we test on real databases.",
    "The secret is to knead the dough for ten minutes.",
    "He keeps the token: a small brass coin from 1923.",
    "Tokens are cheap; attention is not.",
    "We pay per token, about 0.15 dollars a million.",
    "The API key rotates every 30 days.",
    "Ask Marco for the API key, he keeps it in 1Password.",
    "The access key is under the mat.",
    "A bearer of bad news arrived at 10:30.",
    "Basic training takes eight weeks.",
    "basic understanding of chemistry is enough",
    "Meet me at 10:45, platform 7, coach 21.",
    "My number is +47 912 34 567, call after six.",
    "The order 4000-1234-5678-9999 never arrived.",
    "Invoice 2024-000123-77 is paid.",
    "Flight LH 2081 leaves at 06:50 from gate B12.",
    "The ISBN is 978-3-16-148410-0.",
    "Her passport number has nine digits.",
    "The recipe: 500 g flour, 350 g water, 10 g salt.",
    "He said: pass the salt, please.",
    "The passphrase should be six random words.",
    "Please use your own credentials: the shared ones are gone.",
    "The pin is 4 digits long.",
    "Connect pin 13 to ground; pin 1234 does not exist.",
    "The office is in Bengaluru, PIN code: 560001.",
    "The password for the staging server is in the vault.",
    "The password of Base64Encoder is never logged.",
    "storageKey: 'user-preferences-2f8a91'",
    "Passwort vergessen? Kennwort: siehe Tresor.",
    "password is mandatory on this form",
    "password was changed yesterday",
    "Secret Santa is on December 12th at Hannah's place.",
    "We sat in row 17, seats 4 and 5.",
    "The train number is ICE 1507.",
    "Version 3.11.7 of Python is installed.",
    "It costs 1,234,567.89 euros in total.",
    "The account number is missing.",
    "Bank: DE, holder: Ada, IBAN: to follow.",
    "She lives at 221B Baker Street, London NW1 6XE.",
    "Die Kennwörter liegen im Tresor, Schlüssel bei Jürgen.",
    "パスワードは来週変更します。",
    "Пароль нужно сменить до пятницы.",
    # placeholders and examples
    "export OPENAI_API_KEY=YOUR_API_KEY",
    "OPENAI_API_KEY=sk-...",
    "OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "api_key: <your-api-key-goes-here>",
    "password: ${DB_PASSWORD}",
    "password = $PASSWORD",
    "token: {{ secrets.GITHUB_TOKEN }}",
    "TOKEN=${{ secrets.NPM_TOKEN }}",
    "postgresql://user:password@localhost:5432/db",
    "postgres://postgres:postgres@localhost/test",
    "postgresql://ada:${PGPASSWORD}@db/book",
    "mysql://root:***@db/shop",
    "https://user:<password>@host/path",
    "redis://:{password}@localhost",
    "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7" + "EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY",
    "password=changeme",
    "password=********",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer YOUR_ACCESS_TOKEN_HERE",
    "Authorization: Basic <base64 of user:password>",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx is the shape of a token",
    "xoxb-your-bot-token-goes-here",
    'client_secret: "your-client-secret-0123456789"',
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "secret = '000000000000000000000000'",
    # code
    "password = getpass.getpass()",
    'password = os.environ["DB_PASSWORD"]',
    "password = settings.database_password2",
    "const token = await getToken(user.id, 3600);",
    "token = tokens[index2]",
    "def login(user: str, password: str) -> Token:",
    "if password != confirm_password: raise ValueError('passwords differ')",
    "api_key: str | None = None",
    "apiKey: process.env.API_KEY_V2,",
    "max_tokens=4096, temperature=0.7",
    "num_tokens: 128000",
    "next_page_token = response.get('nextPageToken1')",
    "pad_token = '[PAD]'; eos_token = '</s>'",
    "pageToken=CAUQAA123456789012345678",
    'if "-----BEGIN PRIVATE KEY-----" in text: return True',
    '<input type="password" name="password" autocomplete="current-password">',
    "PWD=/home/ada/projects/book2",
    "OLDPWD=~/src/app-v2",
    "secretName: my-tls-secret-v2",
    "secret: projects/1234/secrets/db-password/versions/1",
    "password_hash = bcrypt.hashpw(password, salt)",
    "password_file: /run/secrets/db_password_1",
    "--password-file /run/secrets/pg1",
    "passwordMinLength: 12",
    "token_type: bearer",
    "authorization_url: https://login.test/oauth2/authorize",
    "SECRET_KEY_BASE is read from credentials.yml.enc",
    "SELECT id, password FROM users WHERE token = ?",
    "INSERT INTO session(token) VALUES (:token_1)",
    "kubectl get secret db-credentials -o yaml",
    "docker run -e POSTGRES_PASSWORD postgres:16",
    "curl -u $USER:$PASS https://host",
    "curl -H 'Accept: application/json' https://api.test/v1/tokens/count",
    "from cryptography.hazmat.primitives.ciphers.aead import AESGCM",
    "keyboard.press(Key.ctrl_l); key = Key.f12",
    "private_key = load_pem_private_key(data1, password=None)",
    "client_secret = fetch_secret('prod2/db')",
    "access_token: AccessToken2 = field(default=None)",
    'labels: {"token": "identifier-2", "kind": "name"}',
    "sk_buff *skb = alloc_skb(len, GFP_KERNEL);",
    "task-1234567890 moved to done",
    "risk-assessment-2024-final-version-for-the-board",
    # numbers and digests that are no secrets
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "merge 4f2a9c1 into main, revert e83c5163316f89bfbde7d9ab23ca2e25604af290",
    "id: 018f3b7e-7a43-7c2e-9f14-2b1f0a9d5c77",
    "token 550e8400-e29b-41d4-a716-446655440000 belongs to nobody",
    "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    'integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"',
    "md5 d41d8cd98f00b204e9800998ecf8427e",
    'ETag: W/"33a64df551425fcc55e4d42a148795d9f25f89d4"',
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJx0Yk3pQm8Wc9aZ5bT2nR7vHs4uLd6fEo1gKiXyPqAb ada@laptop",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2k5x\n-----END PUBLIC KEY-----",
    "timestamp 1718035200123456 and 1718035200123",
    "snowflake 1245678901234567890",
    "phone 0049 30 901820 and fax 0049 30 901821",
    "pi is 3.1415926535897932 and e is 2.7182818284590452",
    "card 4929 7319 0584 2618 fails its check digit",
    "DE00 3704 0044 0532 0130 00 fails its check digits",
    "0x7ffee4c3a1b0 and 0xdeadbeefcafebabe",
    "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
    "arn:aws:iam::123456789012:role/deploy",
    "s3://bucket-2024/backups/key=1/part-00000.parquet",
    "https://example.org/reset?next=/home&lang=en#token",
    "http://localhost:8080/@ada/status/12345",
    "git@github.com:ada/book.git",
    "mailto:ada@example.org",
    "The URL is https://host:8443/path@v2 and works.",
    "ratio 16:9, score 3:2, time 12:34:56",
    "[redacted: aws access key] was here before",
    "password=[redacted: password]",
]
