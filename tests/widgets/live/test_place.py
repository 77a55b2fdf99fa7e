from cellwright_widgets.live.place import new_place, placed


def test_a_record_stands_in_a_place_that_no_other_has():
    one, other = new_place(), new_place()
    assert one != other
    bundle = placed(one, "<p>x</p>", "x")
    assert bundle == {"text/html": f'<div class="cw-place" data-place="{one}"><p>x</p></div>', "text/plain": "x"}
