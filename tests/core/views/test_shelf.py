import pytest

from cellwright.views.frame import Order
from cellwright.views.records import Records
from cellwright.views.shelf import SHELVED, Shelf

ROWS = Records(["a", "secret"], [[n, f"secret {n}"] for n in range(120)])


def mask(data):
    return data.replace("secret", "⟨masked⟩") if isinstance(data, str) else data


def test_other_pages_come_from_the_shelf_with_secrets_masked():
    shelf = Shelf(1_000)
    name = shelf.put(ROWS, 240, mask)
    page = shelf.page(name, 100, Order(0, True))
    assert page.table.rows[0] == (19, "⟨masked⟩ 19")
    assert (page.table.columns, page.table.source) == (("a", "⟨masked⟩"), name)
    assert shelf.cells(name, Order(), 1) == (["a", "⟨masked⟩"], [[0, "⟨masked⟩ 0"]], 120)


def test_without_room_nothing_is_kept():
    assert Shelf().put(ROWS, 1, mask) == ""
    assert Shelf(100).put(ROWS, 240, mask) == ""


def test_the_oldest_makes_room():
    shelf = Shelf(500)
    names = [shelf.put(ROWS, 240, mask) for _ in range(3)]
    with pytest.raises(LookupError, match="no longer kept"):
        shelf.page(names[0])
    assert shelf.page(names[2]).matching == 120
    small = [shelf.put(ROWS, 1, mask) for _ in range(SHELVED + 1)]
    with pytest.raises(LookupError, match="no longer kept"):
        shelf.page(small[0])


def test_a_closed_shelf_holds_nothing():
    shelf = Shelf(1_000)
    name = shelf.put(ROWS, 240, mask)
    shelf.close()
    assert shelf.put(ROWS, 240, mask) == ""
    with pytest.raises(LookupError, match="no longer kept"):
        shelf.page(name)


def test_what_is_no_table_has_no_pages():
    shelf = Shelf(10)
    with pytest.raises(LookupError, match="holds no rows"):
        shelf.page(shelf.put({"a": 1}, 1, mask))


def test_what_brings_no_mask_is_masked_as_all_of_its_run():
    shelf = Shelf(1_000).of(mask)
    assert shelf.page(shelf.put(ROWS, 240)).table.rows[0] == (0, "⟨masked⟩ 0")
