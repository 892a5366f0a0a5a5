"""The functions that Weval checks answers with: how to tell them from words, and why each is left out."""

import re

_SPELLINGS = {"contain": "contains", "match": "matches", "imatch": "imatches", "icontain": "icontains"}
_PLAIN = {
    "contains", "icontains", "contains_any_of", "icontains_any_of", "contains_all_of", "icontains_all_of",
    "contains_at_least_n_of", "icontains_at_least_n_of", "contains_word", "icontains_word", "starts_with",
    "istarts_with", "ends_with", "iends_with", "matches", "imatches", "match_all_of", "imatch_all_of",
    "matches_all_of", "imatches_all_of", "match_at_least_n_of", "imatch_at_least_n_of", "matches_at_least_n_of",
    "imatches_at_least_n_of", "matches_any_of", "imatches_any_of", "word_count_between", "is_json", "equals",
    "iequals",
}  # fmt: skip
_OTHERS = {
    "js": "a JavaScript check",
    "call": "a call to an outside service",
    "factcheck": "a fact check by an outside service",
    "tool_called": "a check of tool calls",
    "tool_args_match": "a check of tool calls",
    "tool_call_count_between": "a check of tool calls",
    "tool_call_order": "a check of tool calls",
}
REF = "ref"
_NAME = re.compile(r"\$[A-Za-z]\w*")
_CALL = re.compile(r"\$([A-Za-z]\w*)\s*(?::.*)?$", re.DOTALL)


def function_name(written: str) -> str:
    """'$contain' -> 'contains': the name without its mark, in Weval's own spelling."""
    name = written.strip().removeprefix("$").strip()
    negated = name.startswith("not_")
    plain = name.removeprefix("not_")
    return ("not_" if negated else "") + _SPELLINGS.get(plain, plain)


def is_function(written: str) -> bool:
    """Whether a word, with or without `$`, is the name of a function."""
    plain = function_name(written).removeprefix("not_")
    return plain in _PLAIN or plain in _OTHERS or plain == REF


def names_call(key: str) -> bool:
    """Whether a key is a call, such as `$contains` or one that is not known; '$5 is named' is words."""
    return _NAME.fullmatch(key.strip()) is not None


def called_in(text: str) -> str | None:
    """The function that a whole text calls ("$icontains: 'False'", '$factcheck'), None for '$20 is too much'."""
    found = _CALL.match(text.strip())
    if found is None:
        return None
    is_call = is_function(found[1]) or ":" in text or text.strip() == f"${found[1]}"
    return function_name(found[1]) if is_call else None


def is_pair(items: list[object]) -> bool:
    """Whether the values of a list are legacy JSON's [function, argument], which has the shape of two alternatives."""
    if len(items) != 2 or not isinstance(items[0], str):
        return False
    name = items[0].strip()
    return is_function(name) or names_call(name)


def reason_to_skip(name: str) -> str:
    """Why a function makes no metric, in plain words."""
    plain = name.removeprefix("not_")
    if plain in _OTHERS:
        return f"{_OTHERS[plain]} (${name}), which is not run: no behaviour that a judge could read"
    if plain in _PLAIN:
        return f"a check by the function ${name}: no behaviour that a judge could read"
    return f"a function that is not known here (${name}): no behaviour that a judge could read"
