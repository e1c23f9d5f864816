"""Rotated vectors: still neighbours, no longer readable."""

import numpy as np
import pytest

from commonplace.security.rotation import Rotation

static = pytest.importorskip("commonplace.providers.embed.static")

KEY = bytes(range(32))
GOLDEN_256 = [-15, -8, -53, 15, 60, -45, 23, -53, 0, 38, -30, -68, -38, -53, 0, -38]
GOLDEN_384 = [-18, -17, 2, 5, 12, -2, -89, -49, 34, -6, 6, -19, -16, 7, 53, -45]
SENTENCES = """
Giulia moved from Naples to Oslo last winter
the billing service crashes when the invoice has no customer
Marco prefers green tea without sugar in the morning
we decided to migrate the database to PostgreSQL in March
my daughter plays the violin in the school orchestra
the doctor said the operation on her knee went well
never deploy on Friday because the support team is small
Hannah is allergic to peanuts and shellfish
the landlord raised our rent by eleven percent
our printer needs the blue cartridge from the office shop
the pilot announced heavy turbulence over the Atlantic
Pedro repaired the bicycle with a borrowed wrench
the museum closes at noon during the summer holidays
she studied chemistry before she became a lawyer
the garden fence fell over in the storm on Tuesday
our dog sleeps under the kitchen table every night
the passport of my brother expires in September
tests fail on Windows because of the path separator
the bakery around the corner sells excellent rye bread
he lost his wallet in the taxi near the stadium
the choir rehearses Mozart for the wedding in May
the insurance refused to pay for the broken window
Sofia writes a novel about a lighthouse keeper
the factory in Poland produces wooden toys
my grandmother collected stamps from Brazil
the committee rejected the budget for the library
the train to Vienna leaves from platform seven
our cat had five kittens behind the washing machine
the lawyer advised him to keep silent about the contract
the recipe needs two eggs butter and a lemon
the parser drops comments when the file has no newline
her salary doubled after the promotion to director
the beach hotel in Portugal was noisy and expensive
the teacher praised the essay about volcanoes
our neighbour complained about the loud drums
the vaccine must be stored in a cold refrigerator
the mechanic found rust under the engine of the car
the server room floods whenever the pump stops
Yuki wants to climb the mountain before October
the thief stole a painting and two silver candles
""".strip().splitlines()
SMALL = """
a about an and around at be because before behind by during every for from has have he her his in is last my near needs
never no of on our over she the to two under was we well went when whenever with without him had
"""
STOP = set(SMALL.split())


@pytest.fixture(scope="module")
def table():
    return static._table(static.FOLDER)


@pytest.fixture(scope="module")
def vectors():
    return static.StaticEmbedder().embed(SENTENCES)


def content(table) -> list[set[int]]:
    """The tokens of each sentence that say something."""
    words = [[word for word in sentence.lower().split() if word not in STOP] for sentence in SENTENCES]
    return [set(table.tokenizer.ids(" ".join(said))) for said in words]


def pursued(vectors: np.ndarray, table, steps: int = 16) -> list[set[int]]:
    """Orthogonal matching pursuit: which tokens of the public table best add up to each vector."""
    atoms = table.vectors.astype(np.float32)
    atoms /= np.maximum(np.linalg.norm(atoms, axis=1, keepdims=True), 1e-9)
    found: list[list[int]] = [[] for _ in vectors]
    left = vectors.copy()
    for _ in range(steps):
        fit = np.abs(left @ atoms.T)
        for row, chosen in enumerate(found):
            fit[row, chosen] = 0
            chosen.append(int(fit[row].argmax()))
            basis = atoms[chosen].T
            left[row] = vectors[row] - basis @ np.linalg.lstsq(basis, vectors[row], rcond=None)[0]
    return [set(chosen) for chosen in found]


def share(found: list[set[int]], said: list[set[int]]) -> float:
    return sum(len(a & b) for a, b in zip(found, said, strict=True)) / sum(map(len, said))


def test_the_words_cannot_be_read_from_the_stored_bytes_but_can_with_the_key(table, vectors):
    rotation = Rotation(KEY, 256)
    stored = rotation.quantise(vectors).astype(np.float32) * rotation.limit / 127
    said = content(table)
    turned_back = stored @ rotation.apply(np.eye(256, dtype=np.float32)).T
    without, with_key = share(pursued(stored, table), said), share(pursued(turned_back, table), said)
    print(f"content words recovered: {without:.1%} from the stored bytes, {with_key:.1%} with the key")
    assert with_key > 0.6
    assert without < 0.02


def test_another_owners_rotation_gives_no_words_either(table, vectors):
    stored = Rotation(KEY, 256).quantise(vectors).astype(np.float32)
    wrong = stored @ Rotation(bytes(32), 256).apply(np.eye(256, dtype=np.float32)).T
    assert share(pursued(wrong, table), content(table)) < 0.02


def test_some_hundred_known_pairs_undo_the_rotation_as_the_page_says(table, vectors):
    rotation = Rotation(KEY, 256)
    known = table.embed(mixed_texts(400))
    theirs = rotation.quantise(known).astype(np.float32)
    left, _, right = np.linalg.svd(theirs.T @ known)
    stored = rotation.quantise(vectors).astype(np.float32) * rotation.limit / 127
    assert share(pursued(stored @ left @ right, table), content(table)) > 0.5


def mixed_texts(count: int) -> list[str]:
    words = sorted({word for sentence in SENTENCES for word in sentence.split()})
    chance = np.random.default_rng(3)
    return [" ".join(chance.choice(words, chance.integers(5, 15))) for _ in range(count)]


def spread(dims: int, rows: int) -> np.ndarray:
    made = np.random.default_rng(7).standard_normal((rows, dims)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


@pytest.mark.parametrize("dims", [1, 2, 3, 100, 256, 384, 768, 1024, 1536])
def test_lengths_and_angles_stay(dims):
    vectors = spread(dims, 40)
    turned = Rotation(KEY, dims).apply(vectors)
    assert np.allclose(turned @ turned.T, vectors @ vectors.T, atol=1e-5)


@pytest.mark.parametrize("dims", [256, 384, 768, 1024, 1536])
def test_every_axis_meets_all_the_others(dims):
    turned = np.abs(Rotation(KEY, dims).apply(np.eye(dims, dtype=np.float32)))
    assert turned.max() < 8 / dims**0.5
    assert (turned > 1e-6).mean() > 0.9


@pytest.mark.parametrize("dims", [256, 384])
def test_a_row_has_the_same_bytes_alone_and_among_others(dims):
    rotation, vectors = Rotation(KEY, dims), spread(dims, 3000)
    stored = rotation.quantise(vectors)
    assert stored.dtype == np.int8
    for row in (0, 1, 2047, 2048, 2999):
        assert (rotation.as_question(vectors[row]) == stored[row]).all()
    assert (Rotation(KEY, dims).quantise(vectors[:5]) == stored[:5]).all()


def test_the_bytes_are_the_same_on_every_machine():
    asked = np.zeros(256, np.float32)
    asked[:4] = 0.5
    assert Rotation(KEY, 256).as_question(asked)[:16].tolist() == GOLDEN_256
    asked = np.zeros(384, np.float32)
    asked[:4] = 0.5
    assert Rotation(KEY, 384).as_question(asked)[:16].tolist() == GOLDEN_384


def test_two_keys_turn_differently():
    one, other = Rotation(KEY, 256).quantise(spread(256, 20)), Rotation(bytes(32), 256).quantise(spread(256, 20))
    alike = np.abs(np.sum(one.astype(float) * other, axis=1) / np.linalg.norm(one.astype(float), axis=1) ** 2)
    assert alike.max() < 0.35


def nearest(scores: np.ndarray) -> np.ndarray:
    return np.argsort(-scores, axis=1, kind="stable")[:, :10]


def test_the_ten_nearest_stay_the_ten_nearest(table):
    vectors = table.embed(mixed_texts(1500))
    stored = Rotation(KEY, 256).quantise(vectors).astype(np.float32)
    pairs = zip(nearest(vectors @ vectors.T), nearest(stored @ stored.T), strict=True)
    overlap = np.mean([len(set(a) & set(b)) / 10 for a, b in pairs])
    print(f"top-10 overlap with float: {overlap:.4f}")
    assert overlap >= 0.99


def test_products_of_stored_bytes_are_cosines_again(vectors):
    rotation = Rotation(KEY, 256)
    stored = rotation.quantise(vectors).astype(np.int32)
    assert np.allclose(rotation.similarity(stored @ stored.T), vectors @ vectors.T, atol=0.01)


def test_nothing_stays_nothing_and_the_wrong_width_is_refused():
    assert not Rotation(KEY, 256).quantise(np.zeros((2, 256), np.float32)).any()
    assert Rotation(KEY, 256).quantise(np.zeros((0, 256), np.float32)).shape == (0, 256)
    with pytest.raises(ValueError, match="384 axes"):
        Rotation(KEY, 256).apply(np.zeros((1, 384), np.float32))
    with pytest.raises(ValueError, match="at least one axis"):
        Rotation(KEY, 0)
