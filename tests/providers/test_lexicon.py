"""The lexicon: texts of four other languages lie where their English meaning lies."""

import numpy as np
import pytest

from commonplace.providers.embed.lexicon import Lexicon
from commonplace.providers.embed.static import FOLDER, LEXICON, StaticEmbedder
from commonplace.providers.embed.wordpiece import bare_words

MEANT = {
    "de": ("Der Hund schläft im Garten.", "Die Miete ist gestiegen."),
    "es": ("El perro duerme en el jardín.", "El alquiler ha subido."),
    "fr": ("Le chien dort dans le jardin.", "Le loyer a augmenté."),
    "it": ("Il cane dorme in giardino.", "L'affitto è aumentato."),
}


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.load(*(FOLDER / name for name in LEXICON))


@pytest.mark.parametrize("language", MEANT)
def test_a_sentence_is_nearer_to_its_english_meaning_than_to_another(language: str) -> None:
    english = StaticEmbedder().embed(["The dog sleeps in the garden.", "The rent has gone up."])
    near = StaticEmbedder().embed(MEANT[language]) @ english.T
    assert (near.diagonal() > 0.4).all()
    assert (near.diagonal() > near[:, ::-1].diagonal() + 0.3).all()


@pytest.mark.parametrize("language", MEANT)
def test_the_language_of_a_sentence_is_known_by_its_words(lexicon: Lexicon, language: str) -> None:
    for text in MEANT[language]:
        assert lexicon.language(bare_words(text)) == language


@pytest.mark.parametrize(
    "text", ["The dog sleeps in the garden.", "Ada lives in Turin", "me", "", "x7 #42 …", "Marco is my CFO in Milano"]
)
def test_english_and_what_says_nothing_of_a_language_stay_as_they_are(lexicon: Lexicon, text: str) -> None:
    assert lexicon.language(bare_words(text)) is None


def test_words_looked_up_together_are_as_those_looked_up_one_by_one() -> None:
    together, alone = (Lexicon.load(*(FOLDER / name for name in LEXICON)) for _ in range(2))
    texts = [*(text for pair in MEANT.values() for text in pair), "The dog sleeps qqxx", "", "\ud800 ñandú"]
    together.precompute(word for text in texts for word in bare_words(text))
    together.precompute([])
    looked_up: dict[str, object] = {word: together._leads[word] for text in texts for word in bare_words(text)}
    assert looked_up == {word: alone._lead(word) for word in looked_up}
    assert looked_up["qqxx"] == 0
    assert looked_up["dog"] != 0


def test_a_compound_word_means_what_its_parts_mean(lexicon: Lexicon) -> None:
    compound, first, second = (lexicon.meaning("de", word) for word in ("gartenschlussel", "garten", "schlussel"))
    assert first is not None and second is not None
    assert compound == (first[0] + second[0], first[1] + second[1])
    assert lexicon.meaning("de", "qqgartenzz") is None


def test_a_text_of_another_language_has_the_same_vector_alone_and_in_company() -> None:
    texts = [text for pair in MEANT.values() for text in pair]
    alone = np.concatenate([StaticEmbedder().embed([text]) for text in texts])
    assert np.array_equal(StaticEmbedder().embed(texts), alone)
