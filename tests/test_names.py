"""Names say what they hold: few pronouns and participles, and no class name for several things."""

import ast
from collections import defaultdict
from pathlib import Path

SRC = Path(__file__).parents[1] / "src" / "commonplace"
TREES = {path: ast.parse(path.read_text("utf-8")) for path in SRC.rglob("*.py")}
VAGUE = frozenset(
    "one ones found told said asked made held given wanted known some many few more most other others own done kept "
    "left near about around rest anew again both each thing things what whole way here there mine it them such meant "
    "heard shown named called taken seen tried begun gone stuff tmp foo bar obj val res ret".split()
)


def bindings(tree: ast.AST) -> list[str]:
    """Every variable and parameter that is bound in ``tree``."""
    stored = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return stored + [node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)]


def test_few_names_are_pronouns_or_participles():
    names = [name for tree in TREES.values() for name in bindings(tree)]
    vague = [name for name in names if name in VAGUE]
    assert len(vague) / len(names) < 0.02
    assert "held" in VAGUE.intersection(bindings(ast.parse("held = 1"))), "the control"


def test_a_class_name_stands_for_one_thing():
    modules = defaultdict(set)
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].add(path)
    assert len([name for name, paths in modules.items() if len(paths) > 1]) <= 4
