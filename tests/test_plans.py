"""Which plan has what, and how a missing feature is told."""

import itertools

import pytest

from commonplace import plans, settings
from commonplace.errors import Invalid, NotInPlan
from commonplace.plans import PLANS, Feature, allows_relation, has, missing, require, require_relation


def test_the_table_is_this():
    table = {plan: {feature.name for feature in features} for plan, features in PLANS.items()}
    assert table["free"] == {"KEYWORD_SEARCH", "EXTRACTION_DAILY"}
    assert table["pro"] - table["free"] == {"EMBEDDINGS", "EXTRACTION_AT_ONCE", "RELATIONS"}
    assert table["power"] - table["pro"] == {"ALL_RELATIONS", "PROACTIVE"}
    assert table["team"] - table["power"] == {"SHARING"}
    assert table["team"] == {feature.name for feature in Feature}


def test_each_plan_has_all_that_the_smaller_one_has():
    assert all(small <= large for small, large in itertools.pairwise(PLANS.values()))


def test_every_plan_in_the_table_can_be_set_and_the_default_is_the_self_hosted_one():
    assert tuple(PLANS) == settings.PLANS
    assert settings.Settings().plan == plans.SELF_HOSTED == "team"


@pytest.mark.parametrize(("plan", "feature"), itertools.product(PLANS, Feature))
def test_require_raises_exactly_where_has_says_no(plan, feature):
    if has(plan, feature):
        assert require(plan, feature) is None
        return
    with pytest.raises(NotInPlan) as caught:
        require(plan, feature)
    assert (caught.value.feature, caught.value.plan) == (feature.value, plan)
    assert caught.value.plans and all(has(other, feature) for other in caught.value.plans)


def test_pro_has_relations_of_people_and_projects_and_power_has_all():
    cases = [("person", "company"), ("topic", "project"), ("topic", "company")]
    assert [allows_relation("free", *case) for case in cases] == [False, False, False]
    assert [allows_relation("pro", *case) for case in cases] == [True, True, False]
    assert [allows_relation("power", *case) for case in cases] == [True, True, True]


def test_a_relation_beyond_the_plan_names_the_plans_that_have_it():
    require_relation("pro", "person", "company")
    with pytest.raises(NotInPlan) as caught:
        require_relation("pro", "topic", "company")
    assert caught.value.plans == ("power", "team")
    with pytest.raises(NotInPlan) as caught:
        require_relation("free", "person", "company")
    assert caught.value.plans == ("pro", "power", "team")


def test_moving_up_tells_what_to_catch_up_on_and_moving_down_nothing():
    assert missing("free", "pro") == {Feature.EMBEDDINGS, Feature.EXTRACTION_AT_ONCE, Feature.RELATIONS}
    assert missing("team", "free") == frozenset()


def test_an_unknown_plan_is_refused():
    with pytest.raises(Invalid, match="free, pro, power, team"):
        has("gold", Feature.PROACTIVE)
