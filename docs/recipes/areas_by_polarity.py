# %% [markdown]
# # Pass rates by area, drawn from the API
#
# The figure of the ImpactBench paper's section 4 that shows how models do on good and on bad behaviours in each area:
# all models pooled, each polarity by itself, with 95 % intervals. It asks `/api/v1/` and needs no account.

# %%
import json
import os
from urllib.parse import urlencode
from urllib.request import urlopen

import plotly.graph_objects as go

SITE = os.environ.get("SITE", "http://localhost:8000")
RELEASE = os.environ.get("RELEASE", "")  # empty: the newest
FIGURE = os.environ.get("FIGURE", "areas.html")


# %% [markdown]
# A list of the API is a chain of pages; `next` leads from one to the other.


# %%
def items(path: str, **query: str) -> list[dict]:
    """All items of a list, page by page."""
    wish = {**query, "page_size": "1000"} | ({"release": RELEASE} if RELEASE else {})
    address = f"{SITE}/api/v1/{path}/?{urlencode(wish)}"
    found = []
    while address:
        with urlopen(address, timeout=30) as answer:
            page = json.load(answer)
        found += page["results"]
        address = page["next"]
    return found


# %% [markdown]
# One rate an area and polarity. A rate without a judged conversation is null, and is left out, not drawn at zero.

# %%
names = {area["slug"]: area["name"] for area in items("areas")}
rates = [
    rate
    for rate in items("results", group="area", model="null", profile="all")
    if rate["pass_rate"] is not None and rate["key"] in names
]

# %%
figure = go.Figure()
for polarity, title, colour, symbol in (
    ("positive", "Promotes good", "#0B4F71", "triangle-up"),
    ("negative", "Avoids harm", "#B85C00", "diamond"),
):
    drawn = [rate for rate in rates if rate["polarity"] == polarity]
    figure.add_scatter(
        name=title,
        mode="markers",
        x=[rate["pass_rate"] for rate in drawn],
        y=[names[rate["key"]] for rate in drawn],
        error_x={
            "symmetric": False,
            "array": [(rate["ci_high"] or rate["pass_rate"]) - rate["pass_rate"] for rate in drawn],
            "arrayminus": [rate["pass_rate"] - (rate["ci_low"] or rate["pass_rate"]) for rate in drawn],
        },
        marker={"color": colour, "symbol": symbol, "size": 12},
        customdata=[[rate["n_judged"], rate["n_metrics"], rate["ci_method"]] for rate in drawn],
        hovertemplate="%{x:.1%} of %{customdata[0]} conversations, %{customdata[1]} metrics (%{customdata[2]})",
    )
figure.update_xaxes(title="Conversations with the good outcome", tickformat=".0%", range=[0, 1])
figure.write_html(FIGURE)
print(f"{len(rates)} rates of {len(names)} areas drawn in {FIGURE}")
