import math
import re

import pytest

from cellwright_widgets.drawing.ink import NO_INK, inked
from cellwright_widgets.drawing.style import style


@pytest.mark.parametrize(
    ("codes", "classes"),
    [
        ("", ""),
        ("31", "ink hue-0"),
        ("1;3;4;9;32", "ink hue-4 bold italic strike underline"),
        ("93", "vivid hue-2"),
        ("90", "dim"),
        ("37;40", "tint"),
        ("31;44", "ground hue-8"),
        ("30;43", "ground hue-2"),
        ("38;5;196", "vivid hue-0"),
        ("38;5;28;1", "ink hue-4 bold"),
        ("38;5;244", "dim"),
        ("38;5;231", ""),
        ("38;2;255;128;0", "vivid hue-1"),
        ("38:2::0:0:128", "ink hue-8"),
        ("38:2:0:128:128", "ink hue-6"),
        ("48;2;0;0;255", "ground hue-8"),
        ("58;2;9;9;9;31", "ink hue-0"),
        ("4:3;35", "ink hue-10 underline"),
        ("4;4:0", ""),
        ("7", "inverse"),
        ("7;32", "ground hue-4"),
        ("7;32;27", "ink hue-4"),
        ("31;39", ""),
        ("1;2;31;22;0;3", "italic"),
        ("8;5;999;38;5;99999;38;2;999", ""),
        ("38", ""),
    ],
)
def test_codes_become_known_classes(codes, classes):
    assert inked(NO_INK, codes).classes == " ".join(f"cw-{name}" for name in classes.split())


def test_every_number_is_an_ink_that_the_style_has():
    told = set().union(
        *(inked(NO_INK, f"{layer}{n}").classes.split() for n in range(256) for layer in ("38;5;", "48;5;"))
    )
    assert told - set(re.findall(r"\.(cw-[\w-]+)", style())) == set()


PAPERS = {"light": (1.0, 0), "dark": (0.013, 1)}
"""How light the page is (of white; JupyterLab's dark grey), and which of the values of the style is for it."""


@pytest.mark.parametrize("theme", PAPERS)
def test_each_colour_can_be_read_on_its_page_and_the_page_on_it(theme):
    paper, place = PAPERS[theme]
    hues = [float(hue) for hue in re.findall(r"--cw-hue: (\d+)", style())]
    chroma = {name: float(re.search(rf"oklch\(var\(--cw-{name}\) ([\d.]+)", style())[1]) for name in ("ink", "vivid")}
    assert len(hues) == 12
    for name, strength in chroma.items():
        light = float(re.findall(rf"--cw-{name}: (\d+)%", style())[place]) / 100
        for hue in hues:
            assert contrast(luminance(light, strength, hue), paper) > 4.9, (name, hue)


def contrast(one: float, other: float) -> float:
    """As WCAG has it."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def luminance(light: float, strength: float, hue: float) -> float:
    """Of a colour in OKLCH, by the matrices of CSS Color 4."""
    a, b = strength * math.cos(math.radians(hue)), strength * math.sin(math.radians(hue))
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short
    parts = [min(1.0, max(0.0, part)) for part in (red, green, blue)]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
