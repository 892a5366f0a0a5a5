"""The messages of a Weval prompt: the user's become anchors, fixed replies and system prompts are kept beside them."""

from dataclasses import dataclass

from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.positions import Node
from evaluation.importers.formats.types import Anchor

_ROLES = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "system": "system"}


@dataclass(frozen=True)
class Message:
    """`text` is None for a reply that the tested model gives itself."""

    role: str
    text: str | None


def read_messages(fields: Fields) -> tuple[Message, ...]:
    """The messages of a prompt; `messages` wins over `prompt`. Raises FileProblem."""
    if fields.has("messages"):
        return read_message_list(fields, "messages")
    text = fields.optional_text("prompt", "promptText")
    return (Message("user", text),) if text else ()


def read_message_list(fields: Fields, key: str) -> tuple[Message, ...]:
    """The messages under a key; raises FileProblem."""
    return tuple(_message(fields, node) for node in fields.items(key) if node.value is not None)


def anchors_of(messages: tuple[Message, ...]) -> tuple[Anchor, ...]:
    """One anchor for each user message, at the turn that it opens."""
    texts = [message.text for message in messages if message.role == "user" and message.text]
    return tuple(Anchor(turn, f"Say: {text}") for turn, text in enumerate(texts, start=1))


def system_of(messages: tuple[Message, ...]) -> str | None:
    texts = [message.text for message in messages if message.role == "system" and message.text]
    return "\n\n".join(texts) or None


def fixed_replies(messages: tuple[Message, ...]) -> tuple[tuple[int, str], ...]:
    """(turn, text) of the replies that the source gives instead of the tested model."""
    replies, turn = [], 0
    for message in messages:
        turn += message.role == "user"
        if message.role == "assistant" and message.text:
            replies.append((turn, message.text))
    return tuple(replies)


def _message(fields: Fields, node: Node) -> Message:
    """`{role, content}` or the short `{user: text}`."""
    entry = Fields(fields.file, node, f"a message of {fields.what}")
    if "role" in entry.entries:
        role, content = entry.text("role"), entry.entries.get("content")
        place = entry.entries["role"]
    elif len(entry.entries) == 1:
        ((role, content),) = entry.entries.items()
        place = node
    else:
        entry.refuse(f"{entry.what} must be role and content, or one of {', '.join(_ROLES)} with its text")
    if role not in _ROLES:
        entry.refuse(f"{entry.what} has the role {role!r}; it must be one of {', '.join(_ROLES)}", place)
    text = None if content is None or content.value is None else entry.text_of(content, role)
    if text is None and _ROLES[role] == "user":
        entry.refuse(f"{entry.what} says nothing: only a reply of the assistant may be null", content)
    return Message(_ROLES[role], text)
