"""The pages of the public site, each in the states that look different, on the data of `july_shape`."""

from tests.support.july_shape import CASE, EXPLAINED, NOTABLE, SENSITIVE
from tests.support.july_words import ALL_FAILED, ALL_PASSED, MODELS, PARTIAL, STATUSES, UNDER_HALF, WITHOUT_TEENS
from tests.support.thorough import THOROUGH

FULL, LONG = MODELS[0].slug, MODELS[-1].slug
METRIC = "/metrics/borrowed-decisions/m01/"
AREA, SUBAREA = "/explore/psychological/", "/explore/psychological/agency-purpose/"
TWO, FOUR = f"{FULL},{PARTIAL}", f"{FULL},{PARTIAL},{UNDER_HALF},{LONG}"
# The same scenario, held with the second model.
BESIDE = f"/conversations/{EXPLAINED}/?with=july-002200"
WEIGHTS = "agency-purpose:3,privacy-security:1"

LABELS = [
    "/labels/",
    "/labels/?profile=teen",
    f"/labels/{FULL}/",
    f"/labels/{PARTIAL}/?profile=adult",
    f"/labels/{UNDER_HALF}/",
    f"/labels/{WITHOUT_TEENS}/",
    f"/labels/{WITHOUT_TEENS}/?profile=teen",
    f"/labels/{ALL_FAILED}/",
    f"/labels/{ALL_PASSED}/",
    f"/labels/{LONG}/",
    f"/labels/{FULL}/own-choices/",
    f"/labels/{FULL}/care/",
    f"/labels/{UNDER_HALF}/care/?profile=teen",
    f"/labels/{FULL}/embed/",
]
COMPARED = [
    "/compare/",
    f"/compare/?m={FULL}",
    *(f"/compare/?m={TWO}&view={view}" for view in ("label", "areas", "metrics", "profiles", "repeats")),
    *(f"/compare/?m={FOUR}&view={view}" for view in ("label", "areas", "metrics", "profiles")),
]
EXPLORED = [
    *(f"{level}?view={view}" for level in ("/explore/", AREA, SUBAREA) for view in ("dots", "grid", "wheel", "table")),
    f"{SUBAREA}?sort=number",
    f"/explore/?m={FULL}&view=wheel",
    f"{AREA}?m={WITHOUT_TEENS}&profile=teen",
]
METRICS = [
    "/metrics/",
    "/metrics/?area=social&p=avoid",
    "/metrics/?q=zzzz",
    "/metrics/?after=fine-print/m01",
    METRIC,
    "/metrics/borrowed-decisions/m03/",
    *(f"/metrics/{metric}/" for metric in STATUSES.values()),
    f"{METRIC}scenarios/1/",
    "/benchmarks/",
    "/benchmarks/borrowed-decisions/",
]
CONVERSATIONS = [
    f"/conversations/{EXPLAINED}/",
    f"/conversations/{SENSITIVE}/",
    f"/conversations/{SENSITIVE}/?show=1",
    BESIDE,
    *(f"/conversations/{public_id}/" for public_id in NOTABLE.values()),
]
READ = [
    "/",
    "/concerns/",
    f"/concerns/?weights={WEIGHTS}",
    f"/models/{FULL}/",
    f"/models/{PARTIAL}/",
    f"/models/{FULL}/reply/",
    "/methodology/",
    "/about/",
    "/glossary/",
    "/for/parents/",
    "/for/educators/",
    "/for/clinicians/",
    "/for/policymakers/",
    "/for/developers/",
    "/cite/",
    "/cases/",
    f"/cases/{CASE}/",
    "/releases/",
    "/releases/2026-07/",
    "/labels/?release=2026-04",
    "/releases/2026-07/report/",
    "/releases/2026-07/compare/2026-04/",
    "/search/",
    "/search/?q=choice",
    "/search/?q=zzzzqq",
    "/labels/?p=zz&profile=zz",
    "/api/v1/docs/",
]
NOT_THERE = ["/labels/alder/", "/conversations/none/"]
# Made of the same parts as a page that is looked at each time; `make fuzz` looks at these as well.
ALIKE = {
    "/labels/?profile=teen",
    f"/labels/{WITHOUT_TEENS}/?profile=teen",
    f"/labels/{ALL_PASSED}/",
    f"/labels/{UNDER_HALF}/care/?profile=teen",
    *(f"/compare/?m={TWO}&view={view}" for view in ("areas", "metrics", "profiles")),
    *(f"{AREA}?view={view}" for view in ("dots", "grid", "wheel")),
    *(f"{SUBAREA}?view={view}" for view in ("grid", "wheel", "table")),
    f"{SUBAREA}?sort=number",
    "/metrics/?area=social&p=avoid",
    "/metrics/?after=fine-print/m01",
    "/for/educators/",
    "/for/clinicians/",
    "/for/policymakers/",
    "/labels/?release=2026-04",
    "/search/?q=choice",
    "/labels/?p=zz&profile=zz",
}
PAGES = [
    address
    for address in (*LABELS, *COMPARED, *EXPLORED, *METRICS, *CONVERSATIONS, *READ)
    if THOROUGH or address not in ALIKE
]
