"""Derived facts are forgotten whenever the table changes, also where a log is folded rather than played."""

from domain.kernel import BAG, OPEN, Move, Schema, Table, redact


def test_folding_ops_forgets_derived_facts():
    schema = Schema(["red"])
    schema.zone("purse", BAG, OPEN)
    table = Table(schema)
    table.cache["rich"] = False
    table.fold([Move("coin", "box", "purse", 5)])
    assert not table.cache and table.total("purse") == 5
    table.cache["rich"] = True
    table.unfold([Move("coin", "box", "purse", 5)])
    assert not table.cache and table.total("purse") == 0


def test_folding_a_view_forgets_derived_facts():
    schema = Schema(["red"])
    schema.zone("purse", BAG, OPEN)
    view = redact.table(Table(schema), "red")
    view.cache["rich"] = False
    redact.fold(view, "red", [Move("coin", "box", "purse", 5)])
    assert not view.cache and view.total("purse") == 5
