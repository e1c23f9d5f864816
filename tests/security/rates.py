"""Print how many secrets are found and how much else is touched: ``python -m tests.security.rates``."""

from commonplace.security.redact import redact

from .secrets_list import NEGATIVES, POSITIVES


def missed() -> list[tuple[str, str]]:
    """Secrets that stay, or go under another name."""
    out = []
    for kind, secret, text in POSITIVES:
        after = redact(text.format(secret))
        if secret in after.text or kind not in after.kinds:
            out.append((kind, after.text))
    return out


def touched() -> list[tuple[str, str]]:
    """Texts without a secret that were changed."""
    return [(text, redact(text).text) for text in NEGATIVES if redact(text).text != text]


def main() -> None:
    for kind, text in missed():
        print(f"missed   {kind}: {text!r}")
    for before, after in touched():
        print(f"touched  {before!r} → {after!r}")
    found, kept = len(POSITIVES) - len(missed()), len(NEGATIVES) - len(touched())
    print(f"secrets redacted under their name: {found} of {len(POSITIVES)} ({found / len(POSITIVES):.1%})")
    print(f"other texts left alone: {kept} of {len(NEGATIVES)} ({kept / len(NEGATIVES):.1%})")


if __name__ == "__main__":
    main()
