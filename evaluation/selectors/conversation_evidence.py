"""What a release says of one conversation and of its model on the same metric, for whoever writes about it."""

from dataclasses import dataclass

from evaluation.models import Conversation, LanguageModel, Metric, Profile, Release, Result, Turn, Verdict

ALL = "all"


@dataclass(frozen=True)
class NamedResult:
    """A frozen number and whose conversations it counts; `profile` is None for everybody's together."""

    profile: Profile | None
    result: Result


def judged_verdict(public_id: str, release: Release | None = None) -> Verdict | None:
    """The verdict of a conversation in a release, by default in the newest published one that has judged it."""
    found = Verdict.objects.filter(conversation__public_id=public_id.replace("\x00", ""), present__isnull=False)
    found = found.filter(release=release) if release else found.filter(release__status=Release.Status.PUBLISHED)
    related = ("release", "conversation__target", "conversation__scenario__profile")
    wording = "conversation__scenario__base__metric_version__metric__benchmark"
    return found.select_related(*related, wording).defer("release__groups").order_by("-release__published_at").first()


def words_of(conversation: Conversation) -> list[Turn]:
    """What was said, in order; [] where the source did not publish it."""
    columns = ("number", "user_message", "reply", "finish_reason")
    return list(Turn.objects.filter(conversation=conversation).only(*columns).order_by("number"))


def results_on_metric(release: Release, metric: Metric, model: LanguageModel) -> list[NamedResult]:
    """The model's frozen numbers on one metric: of everybody, then by profile; [] where none can be computed."""
    results = {
        result.profile: result
        for result in Result.objects.filter(
            release=release, group=Result.Group.METRIC, key=metric.slug, model=model, n_judged__gt=0
        )
    }
    profiles = {profile.slug: profile for profile in Profile.objects.filter(slug__in=results.keys() - {ALL})}
    everybody = [NamedResult(None, results[ALL])] if ALL in results else []
    in_order = sorted(profiles.values(), key=lambda one: (one.order, one.slug))
    return everybody + [NamedResult(one, results[one.slug]) for one in in_order]
