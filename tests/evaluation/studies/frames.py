"""Candidates for draws in the shape of the paper's release, or of a smaller one."""

import pandas as pd


def candidates(
    *, benchmarks: int = 26, metrics: int = 31, bases: int = 3, targets: int = 10, profiles: int = 2
) -> pd.DataFrame:
    """Every metric with every base, profile and target; odd metrics are negative. 806 metrics unless told."""
    rows = []
    for benchmark in range(benchmarks):
        for metric in range(metrics):
            name = f"b{benchmark}-m{metric}"
            for base in range(bases):
                for profile in ("adult", "teen")[:profiles]:
                    scenario = f"{name}-s{base}-{profile}"
                    for target in range(targets):
                        chat = f"{scenario}-t{target}"
                        facts = (f"b{benchmark}", name, ("positive", "negative")[metric % 2])
                        rows.append((*facts, f"{name}-s{base}", scenario, profile, f"t{target}", chat, f"{chat}-j"))
    columns = ["benchmark", "metric", "polarity", "base", "scenario", "profile", "target", "conversation", "judgment"]
    return pd.DataFrame(rows, columns=columns)
