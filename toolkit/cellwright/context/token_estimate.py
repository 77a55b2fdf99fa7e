"""How many tokens a text is, about, before any provider has counted it.

Each model cuts text into tokens in its own way, and none says how. A rule of thumb is enough to see a limit come near:
four characters of English or code are a token (OpenAI's own rule), and other scripts need a token for one or two
letters. A provider's count, where there is one, is always better. The rule that must never break: an estimate costs no
more than looking at the text once, and no text is estimated as nothing.
"""

from __future__ import annotations

from cellwright.messages import Message, ModelMessage, ToolMessage, UserMessage

CHARACTERS = 4.0
"""ASCII characters of a token."""
LETTERS = 1.5
"""Other letters of a token."""
PICTURE = 1_600
"""Tokens of a picture that a provider scales to its own size; Anthropic's documents name about as many."""
FRAME = 4
"""Tokens around each message and call: who says it, where it begins and ends."""


def estimated_tokens(text: str) -> int:
    """About how many tokens a text is."""
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return round(plain / CHARACTERS + (len(text) - plain) / LETTERS + 0.5)


def message_tokens(message: Message) -> int:
    """About how many tokens a message is, with its calls and pictures."""
    match message:
        case UserMessage(text=text):
            return FRAME + estimated_tokens(text)
        case ModelMessage():
            calls = sum(FRAME + estimated_tokens(call.name + call.arguments) for call in message.calls)
            return FRAME + estimated_tokens(message.text) + estimated_tokens(message.thinking) + calls
        case ToolMessage():
            return FRAME + estimated_tokens(message.content) + PICTURE * len(message.images)
