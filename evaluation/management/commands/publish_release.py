"""`publish_release SLUG --run RUN...`: freezes the results of finished runs."""

from argparse import ArgumentParser
from typing import Any

from evaluation.services import publishing
from impactbench.common.commands import ImpactBenchCommand


class Command(ImpactBenchCommand):
    help = "Freeze the results of finished runs as a release."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="name of the new release")
        parser.add_argument("--run", metavar="RUN", nargs="+", action="extend", required=True, help="runs to publish")
        parser.add_argument("--taxonomy", metavar="SLUG", help="default: the one the metrics are placed in")
        parser.add_argument(
            "--resamples", type=int, default=publishing.RESAMPLES, help="draws of the bootstrap (10000)"
        )
        parser.add_argument("--seed", type=int, default=0, help="seed of the bootstrap (0)")
        parser.add_argument("--judge-configuration", metavar="SLUG", help="count this judge's verdicts only")
        parser.add_argument("--allow-mixed", action="store_true", help="publish runs that differ, saying in what")
        parser.add_argument(
            "--despite-open-studies",
            action="store_true",
            help="publish though raters are still to rate these runs blind; they are then asked what they know",
        )
        parser.add_argument("--title", help="title of the release")

    def run(self, options: dict[str, Any]) -> str:
        release = publishing.publish(
            actor=None,
            slug=options["slug"],
            runs=options["run"],
            taxonomy=options["taxonomy"],
            resamples=options["resamples"],
            seed=options["seed"],
            judge_configuration=options["judge_configuration"],
            allow_mixed=options["allow_mixed"],
            despite_open_studies=options["despite_open_studies"],
            title=options["title"],
            progress=self.stderr.write,
        )
        return (
            f"Published release {release.slug}: {release.n_models} models, {release.n_metrics} metrics, "
            f"{release.n_judged:,} of {release.n_conversations:,} conversations judged; "
            f"{release.results.count():,} results, {release.comparisons.count():,} comparisons, "
            f"{release.sensitivity.count():,} sensitivity analyses."
        )
