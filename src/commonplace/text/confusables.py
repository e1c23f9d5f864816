"""Letters of other scripts that look like Latin ones. Our own table of the common ones."""

from functools import cache

# After case folding: what a folded letter looks like, in its small or in its capital form.
_FOLDED = {
    # Cyrillic
    "абвеёзікмнорстухѕјһԁԛԝѵӏґүұ": "abbee3ikmhopctyxsjhdqwvlryy",
    # Greek
    "αβγεζηικνορστυχωϲϳ": "abyeznikvopotuxwcj",
    # Armenian
    "հոսօցոզգյք": "hnuognqqjp",
    # Latin letters of phonetic alphabets and small capitals
    "ɑɡɩɪʏʙɢʜʟɴʀᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢꜰꜱɐɓƅɗɛƒɠɦɨƙɱɲɳȵƥʠɼʂƭʋʐȷꞇꞃ": ("agiiybghlnracdejkmoptuvwzfsabbdefghikmnnnpqrstvzjtr"),
}

# Capitals whose small form looks like something else; used in words that hold Latin letters too.
_CAPITALS = {
    "АВЕЅІЈКМНОРСТУХЗҮԌԜԚ": "ABESIJKMHOPCTYX3YGWQ",
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ": "ABEZHIKMNOPTYXC",
    "ԱՏՍՕԼԶ": "USUOLQ",
    "ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᎽᎾᏀᏃᏆᏒᏔᏙᏚᏞᏟᏢᏦᏧᏩᏴ": "DRTIAJEWMHYOGZIRWVSLCPKDGB",
    "ꓐꓑꓒꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ": "BPDDTGKJCZFMNLSRVHWXYAEIOU",
}


@cache
def folded() -> dict[int, str]:
    """Look-alikes among case-folded letters."""
    return _table(_FOLDED)


@cache
def capitals() -> dict[int, str]:
    """Look-alikes among capitals, and the letters in boxes, circles and flags, which are pictures to Unicode."""
    table = _table(_CAPITALS)
    for start in (0x1F130, 0x1F150, 0x1F170, 0x1F1E6):
        table |= {start + n: chr(ord("A") + n) for n in range(26)}
    return table


def _table(groups: dict[str, str]) -> dict[int, str]:
    return {
        ord(lookalike): letter
        for lookalikes, group in groups.items()
        for lookalike, letter in zip(lookalikes, group, strict=True)
    }
