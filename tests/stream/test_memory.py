import pytest

from boruvka.errors import FileError, OptionError
from boruvka.stream.memory import (
    available_memory,
    check_room_to_verify,
    edges_that_may_wait,
    parse_memory,
    used_memory,
)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (1000, 1000),
        ("1000", 1000),
        ("2G", 2 << 30),
        ("1.5GiB", 3 << 29),
        ("800 MB", 800 << 20),
        (" 3k ", 3072),
        (None, None),
    ],
)
def test_amounts(text, size):
    assert parse_memory(text) == size


@pytest.mark.parametrize("text", ["", "much", "-2G", "0", 0, -1, True, 1.5, "2X", "G"])
def test_no_amounts(text):
    with pytest.raises(OptionError, match="memory must be an amount such as 2G or 800M"):
        parse_memory(text)


def test_more_memory_lets_more_edges_wait():
    sizes = [edges_that_may_wait(m << 20, 50 << 20, 1 << 20, 1 << 16, "g") for m in (250, 300, 1000, 9000)]
    assert sizes == sorted(sizes)
    assert sizes[0] > 1 << 19
    assert sizes[-1] == 3 << 20


def test_too_little_memory_says_how_much_is_enough():
    with pytest.raises(FileError, match=r"g: a forest of 1,048,576 vertices needs about (\d+)M") as refused:
        edges_that_may_wait(100 << 20, 50 << 20, 1 << 20, 1 << 16, "g")
    least = int(str(refused.value).rpartition("memory='")[2].rstrip("M'"))
    assert edges_that_may_wait(least << 20, 50 << 20, 1 << 20, 1 << 16, "g") >= 1 << 19


def test_memory_of_this_process():
    assert 1 << 20 < used_memory() < available_memory()


def test_names_need_memory():
    numbers, names = (
        edges_that_may_wait(320 << 20, 50 << 20, 1 << 20, 1 << 16, "g", x) for x in (False, True)
    )
    assert numbers > names > 1 << 19


def test_memory_of_a_verification():
    with pytest.raises(FileError, match=r"g: the check of a forest of 1,048,576 vertices needs about (\d+)M"):
        check_room_to_verify(100 << 20, 50 << 20, 1 << 20, 1 << 16, "g", False)
    check_room_to_verify(200 << 20, 50 << 20, 1 << 20, 1 << 16, "g", False)
    with pytest.raises(FileError, match="pass at least memory="):
        check_room_to_verify(200 << 20, 50 << 20, 1 << 20, 1 << 16, "g", True)
