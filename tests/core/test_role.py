import typing

from cellwright.role import ROLES, Role


def test_the_roles_are_these_and_no_other():
    assert set(ROLES) == set(typing.get_args(Role)) == {"main", "sub_agent", "background", "coordinator"}
