"""Finding tools by words: how near each definition comes to a question.

The words of a question are held against the names, the parameters and the descriptions of tools. A word counts as much
as the best place in which it stands: 5 in the name, 2 in a parameter, 1 in the description, half of that where it only
begins a word; and the rarer it is among these tools, the more: times log(1 + tools / tools that have it). The sum is
the score. It needs no index on disk and no model, gives the same answer each time, and can be worked out on paper.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from cellwright.definition import Definition

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
"""A word of a text or of a name: `readFile`, `read_file` and `read file` have the same two."""
MOST_WORDS = 40
"""Words of a question that are looked at."""
SHORTEST_BEGINNING = 3
"""Letters that a word must have to be found as the beginning of another."""
COMMON = frozenset(
    {"a", "an", "and", "can", "do", "for", "from", "in", "is", "it", "of", "on", "or", "the", "to", "with"}
)
"""Words of a question that say nothing about a tool."""
NAME, PARAMETER, DESCRIPTION = 5.0, 2.0, 1.0


def nearest(question: str, definitions: Sequence[Definition]) -> list[Definition]:
    """The tools that have a word of the question, the nearest first, equally near ones in their order."""
    wanted = [word for word in dict.fromkeys(_words(question)) if word not in COMMON][:MOST_WORDS]
    places = [_places(definition) for definition in definitions]
    scores = [0.0] * len(places)
    for word in wanted:
        weights = [_weight(word, each) for each in places]
        having = sum(weight > 0 for weight in weights)
        rarity = math.log(1 + len(places) / having) if having else 0.0
        scores = [score + weight * rarity for score, weight in zip(scores, weights, strict=True)]
    order = sorted(range(len(places)), key=lambda index: -scores[index])
    return [definitions[index] for index in order if scores[index] > 0]


Places = tuple[tuple[float, frozenset[str]], ...]


def _places(definition: Definition) -> Places:
    properties = definition.input_schema.get("properties")
    parameters = properties if isinstance(properties, dict) else {}
    return (
        (NAME, frozenset(_words(definition.name))),
        (PARAMETER, frozenset(word for name in parameters for word in _words(str(name)))),
        (DESCRIPTION, frozenset(_words(definition.description))),
    )


def _weight(word: str, places: Places) -> float:
    return max((weight * _share(word, words) for weight, words in places), default=0.0)


def _share(word: str, words: Iterable[str]) -> float:
    if word in words:
        return 1.0
    begins = len(word) >= SHORTEST_BEGINNING and any(known.startswith(word) for known in words)
    return 0.5 if begins else 0.0


def _words(text: str) -> list[str]:
    return [word.casefold() for word in WORD.findall(text)]
