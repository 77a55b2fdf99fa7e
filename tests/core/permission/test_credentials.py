import pytest

from cellwright.permission.credentials import leads_to_credentials


@pytest.mark.parametrize("path", [".ssh", "a/.SSH/id", "x/.config/gcloud/y", ".netrc", "a/.Config/GCloud"])
def test_places_for_credentials_are_known_in_any_case(path):
    assert leads_to_credentials(path.split("/"))


@pytest.mark.parametrize("path", [".cellwright/snapshots/run-1/0a", "a/.Cellwright/Snapshots"])
def test_copies_of_files_are_kept_from_tools_as_keys_are(path):
    assert leads_to_credentials(path.split("/"))
    assert not leads_to_credentials([".cellwright", "runs", "run-1"])


@pytest.mark.parametrize("path", ["ssh", ".sshrc", ".config", "gcloud", ".config/x/gcloud", ""])
def test_names_that_look_alike_are_no_such_places(path):
    assert not leads_to_credentials(path.split("/"))
