"""What a browser would find in HTML: its elements and its text. Read by the standard library, not by our own code."""

import random
from html.parser import HTMLParser


class Page(HTMLParser):
    def __init__(self, html: str):
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._style = 0
        self.feed(html)
        self.close()

    @property
    def tags(self) -> set[str]:
        return {tag for tag, _ in self.elements}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._style += tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._style -= tag == "style"

    def handle_data(self, data: str) -> None:
        self.text += "" if self._style else data


HOSTILE = (
    '<img src onerror="x">',
    "<script>1</script>",
    "</script><script>1</script><!--",
    "</style></pre></details><iframe src=http://evil.test></iframe>",
    '"><svg onload=alert(1)>',
    "<b>.txt",
    "![a](http://evil.test/x.png) [j](javascript:alert(1))",
    "\x1b]8;;http://evil.test\x07link\x1b]8;;\x07<u>50%</u>",
    "&lt;b&gt;&#60;i&#62;",
)
"""Texts that try to become elements."""
PIECES = (
    *("<img src=http://evil.test/f onerror=window.X_f=1>", "<script>window.X_f=1</script>", "<svg/onload=X_f=1>"),
    *("<", ">", '"', "'", "`", "&", "&lt;", "&#x3c;", "&quot;", "</", "<!--", "-->", "]]>", "<![CDATA[", "\\u003c"),
    *("</pre>", "</details>", "</style>", "</script>", "<template>", "<math><mtext>", "<noscript>", "<base href=//x>"),
    *("javascript:window.X_f=1", "data:text/html,<script>X_f=1</script>", "http://evil.test/f", "//evil.test/f"),
    *("![a](", "[a](", ")", "```html\n", "|a|\n|-|\n|", "\n# ", "\n> ", "\n- ", "$$\\href{javascript:X_f=1}{a}$$"),
    *("\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\u00ad", "\u2028", "\x00", "\x08", "\x1b[31m", "\r", "\x9b2J"),
    *(
        "аpple",
        "x" * 90,
        " " * 40,
        "ｓcript",
        "＜script＞",
        "url(http://evil.test/f)",
        "onerror=X_f=1",
        "style=x",
        "\ud83d",
    ),
)
"""Parts of attacks, and signs that end or hide what stands around them."""


def made_up(count: int, seed: int = 1) -> tuple[str, ...]:
    """Texts put together from such pieces, the same for the same seed."""
    rng = random.Random(seed)
    return tuple("".join(rng.choices(PIECES, k=rng.randint(3, 12))) for _ in range(count))


FORBIDDEN = {"script", "iframe", "svg", "b", "i", "u", "a", "link", "base", "form", "video", "object"}


def assert_harmless(page: Page) -> None:
    """No element or attribute that our drawings do not make, and no address anywhere."""
    assert not page.tags & FORBIDDEN
    for tag, attrs in page.elements:
        assert not {name for name in attrs if name.startswith("on") or name in ("href", "style", "srcset")}
        if tag == "img":
            assert (attrs["src"] or "").startswith("data:image/")
