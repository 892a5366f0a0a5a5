"""References and citations of Weval blueprints: a text, a title with an address, or a list of these."""

from evaluation.importers.formats.fields import Fields
from evaluation.importers.formats.positions import Node
from evaluation.importers.formats.types import Source


def read_sources(fields: Fields, *keys: str) -> tuple[Source, ...]:
    """The references under the first of these keys that has any; raises FileProblem."""
    key = next((key for key in keys if fields.has(key)), None)
    if key is None:
        return ()
    node = fields.entries[key]
    nodes = node.value if isinstance(node.value, list) else [node]
    return tuple(source for item in nodes if (source := _source(fields, item, key)))


def read_citations(fields: Fields, *keys: str) -> tuple[str, ...]:
    """The same as texts: 'Title, https://...'."""
    return tuple(
        ", ".join(filter(None, (source.title, source.url))) if source.title != source.url else source.title
        for source in read_sources(fields, *keys)
    )


def _source(fields: Fields, node: Node, key: str) -> Source | None:
    if isinstance(node.value, dict):
        entry = Fields(fields.file, node, f"a {key} of {fields.what}")
        title, url = entry.optional_text("title", "name"), entry.optional_text("url")
        return Source(title or url or "", url) if title or url else None
    stated = fields.text_of(node, key)
    return Source(stated, stated if _is_address(stated) else None) if stated else None


def _is_address(text: str) -> bool:
    return text.startswith(("https://", "http://")) and not any(map(str.isspace, text))
