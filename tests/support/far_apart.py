"""A release in which some models lie far apart, some close together, and one has too little data."""

from evaluation.models import Release
from tests.support.builders import (
    make_benchmark,
    make_held,
    make_metric,
    make_model,
    make_release,
    make_run,
    make_scenarios,
)

N_METRICS, N_SCENARIOS = 8, 4


def far_apart(*, resamples: int = 400) -> Release:
    """8 good and 8 harmful behaviours in 4 scenarios and 2 profiles, 128 chats a model.

    `luna` does well in everything, `terra` in some chats of adults and in none of teens, `vega` as luna but
    for one chat, and `sol` was tested on two metrics of each kind.
    """
    versions = [
        make_metric(
            f"m{number:02d}",
            benchmark=make_benchmark("autonomy"),
            polarity=polarity,
            subareas=["agency-purpose"] if number % 2 else ["agency-purpose", "cognition-judgment"],
        )
        for polarity, first in (("positive", 1), ("negative", 1 + N_METRICS))
        for number in range(first, first + N_METRICS)
    ]
    models = [make_model(slug) for slug in ("luna", "terra", "vega", "sol")]
    run = make_run("far-apart", versions=versions, targets=models)
    held = []
    for at, version in enumerate(versions):
        scenarios = [one for number in range(1, N_SCENARIOS + 1) for one in make_scenarios(version, number=number)]
        for place, scenario in enumerate(scenarios):
            good = {
                "luna": True,
                "terra": scenario.profile.slug == "adult" and at % 2 == 0 and place < 4,
                "vega": (at, place) != (0, 0),
                "sol": True,
            }
            held += [
                (scenario, model, good[model.slug] == (version.polarity == "positive"))
                for model in models
                if model.slug != "sol" or at % N_METRICS < 2
            ]
    make_held(run, held, turns=())
    return make_release(run=run, resamples=resamples)
