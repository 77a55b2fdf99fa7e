"""What was counted is kept for a file as it was, and no longer."""

from cellwright.files.milestones import DISTANCE, FILES, Milestone, Milestones


def test_the_last_milestone_before_a_line_is_found(tmp_path):
    (tmp_path / "t").write_text("x\n")
    milestones, file = Milestones(), (tmp_path / "t").stat()
    places = [Milestone(number * DISTANCE, number * 100) for number in range(1, 4)]
    for place in [places[2], places[0], places[1]]:
        milestones.note(place, file)
    milestones.note(Milestone(2 * DISTANCE + 1, 150), file)
    found = [milestones.before(line, file).newlines for line in (0, 100, 101, 300, 301)]
    assert found == [0, 0, 100, 200, 300]


def test_a_file_that_has_changed_is_another(tmp_path):
    (tmp_path / "t").write_text("x\n")
    milestones, file = Milestones(), (tmp_path / "t").stat()
    milestones.note(Milestone(2, 1), file)
    (tmp_path / "t").write_text("x\ny\n")
    assert milestones.before(9, (tmp_path / "t").stat()) == Milestone()
    assert milestones.before(9, file) == Milestone(2, 1)


def test_the_file_that_was_left_alone_the_longest_makes_room(tmp_path):
    milestones = Milestones()
    for name in map(str, range(FILES + 1)):
        (tmp_path / name).write_text("x\n")
        milestones.note(Milestone(2, 1), (tmp_path / name).stat())
    kept = [milestones.before(9, (tmp_path / str(name)).stat()).newlines for name in range(FILES + 1)]
    assert kept == [0] + [1] * FILES
