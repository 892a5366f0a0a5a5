"""Let the database itself refuse changes of what must never change: wordings, plans, transcripts, releases."""

from django.db import migrations

FROZEN_COLUMNS = {
    "evaluation_metricversion": [
        "metric_id",
        "number",
        "name",
        "polarity",
        "definition",
        "judge_question",
        "interpretive_clause",
        "examples_present",
        "examples_absent",
        "content_hash",
    ],
    "evaluation_run": ["slug", "kind", "spec", "spec_hash", "seed", "turns"],
    "evaluation_turn": ["conversation_id", "number", "user_message", "reply"],
    "evaluation_release": [
        "slug",
        "taxonomy_id",
        "published_at",
        "resamples",
        "seed",
        "method",
        "groups",
        "content_hash",
        "n_models",
        "n_benchmarks",
        "n_metrics",
        "n_conversations",
        "n_judged",
        "n_unjudged",
    ],
}
NEVER_CHANGED = ["evaluation_result", "evaluation_verdict"]
NEVER_DELETED = ["evaluation_release", "evaluation_result", "evaluation_verdict"]

REFUSE = """
CREATE FUNCTION impactbench_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a row of % is frozen: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""

END_ONCE = """
CREATE TRIGGER ends_once BEFORE UPDATE ON evaluation_conversation FOR EACH ROW
    WHEN (OLD.state IN ('finished', 'failed', 'extra') AND NEW.state IS DISTINCT FROM OLD.state)
    EXECUTE FUNCTION impactbench_refuse();
"""


def _create() -> str:
    statements = [REFUSE, END_ONCE]
    for table, columns in FROZEN_COLUMNS.items():
        changed = " OR ".join(f"OLD.{column} IS DISTINCT FROM NEW.{column}" for column in columns)
        statements.append(
            f"CREATE TRIGGER stays_frozen BEFORE UPDATE ON {table} FOR EACH ROW WHEN ({changed}) "
            "EXECUTE FUNCTION impactbench_refuse();"
        )
    for table in NEVER_CHANGED:
        statements.append(
            f"CREATE TRIGGER never_changes BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION impactbench_refuse();"
        )
    for table in NEVER_DELETED:
        statements.append(
            f"CREATE TRIGGER never_goes BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION impactbench_refuse();"
        )
    return "\n".join(statements)


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0001_initial")]

    operations = [
        migrations.RunSQL(_create(), reverse_sql="DROP FUNCTION IF EXISTS impactbench_refuse() CASCADE;"),
    ]
