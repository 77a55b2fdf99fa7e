import re

from cellwright.console.usage import add_command, program


def test_a_command_is_introduced_by_the_same_words_in_the_list_and_in_its_own_help():
    parser = program()
    made = add_command(parser.add_subparsers(metavar="COMMAND"), "sing", "sing a song", "--loud")
    assert re.search(r"^ {4}sing +sing a song$", parser.format_help(), re.M)
    assert "Exit codes: 0" in parser.format_help()
    assert "\nSing a song.\n" in made.format_help()
    assert made.format_help().endswith("\nexample: cellwright sing --loud\n")
