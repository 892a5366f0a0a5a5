"""The taxonomy that imported results bring: areas, subareas, placements and label rows under the release's name."""

from collections.abc import Mapping

from evaluation.importers.formats.result_types import ResultsFile
from evaluation.importers.writing.storable import refuse_unstorable
from evaluation.importers.writing.subareas import known_subareas
from evaluation.models import Area, LabelRow, Metric, MetricVersion, Placement, Subarea, Taxonomy
from evaluation.selectors.taxonomies import in_force


def written_taxonomy(results: ResultsFile, release: str, versions: Mapping[str, MetricVersion]) -> Taxonomy:
    """A new taxonomy named by the release, so that two editions of one source never mix.

    Results without areas of their own use the paper's taxonomy, by the subareas that their benchmark files name.
    Raises FileProblem.
    """
    metrics = {slug: version.metric for slug, version in versions.items()}
    if not results.areas:
        return _placed_in_paper_taxonomy(results, metrics)
    taxonomy = Taxonomy.objects.create(slug=release, title=f"Taxonomy of release {release}")
    placements = []
    for order, stated in enumerate(results.areas):
        area = Area(taxonomy=taxonomy, slug=stated.slug, name=stated.name, order=order)
        refuse_unstorable([area], results.source)[0].save()
        for position, part in enumerate(stated.subareas):
            subarea = Subarea(taxonomy=taxonomy, area=area, slug=part.slug, name=part.name, order=position)
            refuse_unstorable([subarea], results.source)[0].save()
            placements += [
                Placement(metric=metrics[metric], subarea=subarea) for metric in part.metrics if metric in metrics
            ]
    Placement.objects.bulk_create(placements)
    _write_label_rows(results, taxonomy, metrics)
    return taxonomy


def _placed_in_paper_taxonomy(results: ResultsFile, metrics: Mapping[str, Metric]) -> Taxonomy:
    known = known_subareas()
    Placement.objects.bulk_create(
        (
            Placement(metric=metrics[f"{benchmark.slug}/{stated.local_id}"], subarea=known[subarea])
            for benchmark in results.benchmarks
            if benchmark.definition
            for stated in benchmark.definition.metrics
            for subarea in stated.subareas
            if subarea in known
        ),
        ignore_conflicts=True,
    )
    return in_force()


def _write_label_rows(results: ResultsFile, taxonomy: Taxonomy, metrics: Mapping[str, Metric]) -> None:
    for stated in results.label_rows:
        row = LabelRow(
            taxonomy=taxonomy,
            slug=stated.slug,
            polarity=stated.polarity,
            title=stated.title,
            plain_sentence=stated.description or "",
            order=stated.order,
        )
        refuse_unstorable([row], results.source)[0].save()
        row.metrics.set(metrics[metric] for metric in stated.metrics if metric in metrics)
