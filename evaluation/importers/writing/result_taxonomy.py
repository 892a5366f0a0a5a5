"""The taxonomy that imported results bring: areas, subareas, placements and label rows under the release's name."""

from collections.abc import Mapping

from evaluation.importers.formats.result_types import ResultsFile
from evaluation.importers.writing.lengths import refuse_too_long
from evaluation.models import Area, LabelRow, Metric, MetricVersion, Placement, Subarea, Taxonomy


def written_taxonomy(results: ResultsFile, slug: str, title: str, versions: Mapping[str, MetricVersion]) -> Taxonomy:
    """A new taxonomy named by the release, so that two editions of one source never mix. Raises FileProblem."""
    metrics = {slug: version.metric for slug, version in versions.items()}
    taxonomy = Taxonomy.objects.create(slug=slug, title=title)
    placements = []
    for order, stated in enumerate(results.areas):
        area = Area(taxonomy=taxonomy, slug=stated.slug, name=stated.name, order=order)
        refuse_too_long([area], results.source)[0].save()
        for position, part in enumerate(stated.subareas):
            subarea = Subarea(taxonomy=taxonomy, area=area, slug=part.slug, name=part.name, order=position)
            refuse_too_long([subarea], results.source)[0].save()
            placements += [
                Placement(metric=metrics[metric], subarea=subarea) for metric in part.metrics if metric in metrics
            ]
    Placement.objects.bulk_create(placements)
    _write_label_rows(results, taxonomy, metrics)
    return taxonomy


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
        refuse_too_long([row], results.source)[0].save()
        row.metrics.set(metrics[metric] for metric in stated.metrics if metric in metrics)
