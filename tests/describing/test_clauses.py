"""A text taken apart and written again without one of its parts."""

import pytest

from commonplace.describing.clauses import parse_text

SENTENCES = {
    "The gateway answers on port 81, logs errors and drops old packets.": {
        "The gateway answers on port 81": "The gateway logs errors and drops old packets.",
        "The gateway logs errors": "The gateway answers on port 81 and drops old packets.",
        "The gateway drops old packets": "The gateway answers on port 81 and logs errors.",
    },
    "Ada mends clocks and likes motorbikes and sports cars": {
        "Ada mends clocks": "Ada likes motorbikes and sports cars",
        "Ada likes motorbikes": "Ada mends clocks and likes sports cars",
        "Ada likes sports cars": "Ada mends clocks and likes motorbikes",
    },
    "Call Ann, Ben and Cleo Diaz about the picnic.": {
        "Call Ann about the picnic": "Call Ben and Cleo Diaz about the picnic.",
        "Call Ben about the picnic": "Call Ann and Cleo Diaz about the picnic.",
        "Call Cleo Diaz about the picnic": "Call Ann and Ben about the picnic.",
    },
    "I get dizzy and sick on ladders and balconies": {
        "I get dizzy on ladders and balconies": "I get sick on ladders and balconies",
        "I get sick on ladders and balconies": "I get dizzy on ladders and balconies",
    },
    "Sofia, my brother's daughter, lives in Linz and plays chess": {
        "Sofia, my brother's daughter, lives in Linz": "Sofia, my brother's daughter, plays chess",
        "Sofia, my brother's daughter, plays chess": "Sofia, my brother's daughter, lives in Linz",
    },
    "My sister cycles to school and plays the oboe": {
        "My sister cycles to school": "My sister plays the oboe",
        "My sister plays the oboe": "My sister cycles to school",
    },
    "I'm allergic to nuts, eggs and kiwi": {
        "I'm allergic to nuts": "I'm allergic to eggs and kiwi",
        "I'm allergic to eggs": "I'm allergic to nuts and kiwi",
        "I'm allergic to kiwi": "I'm allergic to nuts and eggs",
    },
    "I don't eat pork or shellfish": {
        "I don't eat pork": "I don't eat shellfish",
        "I don't eat shellfish": "I don't eat pork",
    },
    "Tina is coming on Friday and leaving on Sunday": {
        "Tina is coming on Friday": "Tina is leaving on Sunday",
        "Tina is leaving on Sunday": "Tina is coming on Friday",
    },
    "We deploy with Ansible and monitor with Grafana": {
        "We deploy with Ansible": "We monitor with Grafana",
        "We monitor with Grafana": "We deploy with Ansible",
    },
    "Nora does the accounts while Felix does the payroll": {
        "Nora does the accounts": "Felix does the payroll",
        "Felix does the payroll": "Nora does the accounts",
    },
    "I have visited Rome and Naples": {
        "I have visited Rome": "I have visited Naples",
        "I have visited Naples": "I have visited Rome",
    },
    "Ada lives in Oslo, works at Acme and has two cats": {
        "Ada lives in Oslo": "Ada works at Acme and has two cats",
        "Ada works at Acme": "Ada lives in Oslo and has two cats",
        "Ada has two cats": "Ada lives in Oslo and works at Acme",
    },
    "Ada likes apples, pears and plums.": {
        "Ada likes apples": "Ada likes pears and plums.",
        "Ada likes pears": "Ada likes apples and plums.",
        "Ada likes plums": "Ada likes apples and pears.",
    },
    "I buy bread, cheese and olives on Saturdays": {
        "I buy bread on Saturdays": "I buy cheese and olives on Saturdays",
        "I buy cheese on Saturdays": "I buy bread and olives on Saturdays",
        "I buy olives on Saturdays": "I buy bread and cheese on Saturdays",
    },
    "We have offices in Berlin, Madrid and Oslo": {
        "We have offices in Berlin": "We have offices in Madrid and Oslo",
        "We have offices in Madrid": "We have offices in Berlin and Oslo",
        "We have offices in Oslo": "We have offices in Berlin and Madrid",
    },
    "On Monday I meet Karla and on Tuesday I fly to Nice": {
        "On Monday I meet Karla": "On Tuesday I fly to Nice",
        "on Tuesday I fly to Nice": "On Monday I meet Karla",
    },
    "Ada's PIN is [redacted: pin] and she likes tea": {
        "Ada's PIN is [redacted: pin]": "Ada likes tea",
        "Ada likes tea": "Ada's PIN is [redacted: pin]",
    },
    "Ada lives in Oslo. She works at Acme.": {
        "Ada lives in Oslo": "Ada works at Acme.",
        "Ada works at Acme": "Ada lives in Oslo.",
    },
    "Ada lives in Oslo but her brother works at Acme.": {
        "Ada lives in Oslo": "Ada's brother works at Acme.",
        "Ada's brother works at Acme": "Ada lives in Oslo.",
    },
    "Bob's wife is Carla and his son is Dan.": {
        "Bob's wife is Carla": "Bob's son is Dan.",
        "Bob's son is Dan": "Bob's wife is Carla.",
    },
    "Ada, who works at Acme, lives in Oslo.": {
        "Ada lives in Oslo": "Ada works at Acme.",
        "Ada works at Acme": "Ada lives in Oslo.",
    },
    "Ada wrote a letter to her aunt and uncle": {
        "Ada wrote a letter to her aunt": "Ada wrote a letter to her uncle",
        "Ada wrote a letter to her uncle": "Ada wrote a letter to her aunt",
    },
    "I haven't eaten meat or fish since 2015": {
        "I haven't eaten meat since 2015": "I haven't eaten fish since 2015",
        "I haven't eaten fish since 2015": "I haven't eaten meat since 2015",
    },
    "My wife and I are selling our house": {"My wife and I are selling our house": ""},
    "Ada, Bob and Carla are coming on Friday": {
        "Ada is coming on Friday": "Bob and Carla are coming on Friday",
        "Bob is coming on Friday": "Ada and Carla are coming on Friday",
        "Carla is coming on Friday": "Ada and Bob are coming on Friday",
    },
    "Ada wants to learn piano and visit Japan": {
        "Ada wants to learn piano": "Ada wants to visit Japan",
        "Ada wants to visit Japan": "Ada wants to learn piano",
    },
    "I'm a nurse and have two cats.": {
        "I'm a nurse": "I have two cats.",
        "I have two cats": "I'm a nurse.",
    },
    "Shopping list: milk, eggs and bread": {
        "Shopping list: milk": "Shopping list: eggs and bread",
        "Shopping list: eggs": "Shopping list: milk and bread",
        "Shopping list: bread": "Shopping list: milk and eggs",
    },
    "Never push to main and always squash commits.": {
        "Never push to main": "Always squash commits.",
        "always squash commits": "Never push to main.",
    },
}


@pytest.mark.parametrize(
    ("text", "said", "rest"), [(t, s, r) for t, cuts in SENTENCES.items() for s, r in cuts.items()]
)
def test_one_part_goes_and_the_rest_reads(text, said, rest):
    apart = parse_text(text)
    places = {part.said: part.place for part in apart.assertions}
    assert set(places) == set(SENTENCES[text])
    assert apart.without([places[said]]) == rest


@pytest.mark.parametrize(
    "text", [*SENTENCES, "", "tea", "a, b", "(x, y and z)", "- milk\n- eggs", "?!", "and, and and"]
)
def test_nothing_taken_out_leaves_the_text_as_it_was(text):
    assert parse_text(text).without([]) == text.strip()


@pytest.mark.parametrize("text", SENTENCES)
def test_everything_taken_out_leaves_nothing(text):
    apart = parse_text(text)
    assert apart.without([part.place for part in apart.assertions]) == ""


@pytest.mark.parametrize(
    "text", ['He said "tea, coffee and milk"', "Ada lives in Oslo, Norway", "The bar is open between 9 and 5"]
)
def test_what_only_looks_like_a_list_stays_whole(text):
    assert len(parse_text(text).assertions) == 1
