"""Keep evidence: no turn of an ended conversation, no judgment and no text that was tested is lost or rewritten.

What failed may be tried again: a failed conversation goes on, and an unjudged judgment that is marked is replaced.
"""

from django.db import migrations, models

TURNS = """
CREATE FUNCTION impactbench_turn_goes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Only a conversation that is held again after a leak loses its turns, and only before it has ended.
    IF EXISTS (SELECT 1 FROM evaluation_conversation WHERE id = OLD.conversation_id AND state = 'running') THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'a row of evaluation_turn is frozen: DELETE is refused'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER never_goes BEFORE DELETE ON evaluation_turn FOR EACH ROW EXECUTE FUNCTION impactbench_turn_goes();
"""

JUDGMENTS = """
CREATE TRIGGER never_goes BEFORE DELETE ON evaluation_judgment FOR EACH ROW EXECUTE FUNCTION impactbench_refuse();
CREATE TRIGGER stays_frozen BEFORE UPDATE ON evaluation_judgment FOR EACH ROW WHEN (
    NOT (OLD.ask_again AND OLD.state = 'unjudged') AND (
        OLD.conversation_id <> NEW.conversation_id OR OLD.judge_id <> NEW.judge_id OR OLD.repeat <> NEW.repeat
        OR OLD.state <> NEW.state OR OLD.present IS DISTINCT FROM NEW.present
        OR OLD.polarity IS DISTINCT FROM NEW.polarity
        OR (OLD.justification <> '' AND OLD.justification <> NEW.justification)
    )) EXECUTE FUNCTION impactbench_refuse();
"""

# A text that a source left out may still be filled in; one that a conversation was held with stays.
SCENARIOS = """
CREATE FUNCTION impactbench_scenario_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM evaluation_conversation WHERE scenario_id = OLD.id) THEN
        RAISE EXCEPTION 'a row of evaluation_scenario is frozen: conversations were planned with it'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER stays_frozen BEFORE UPDATE ON evaluation_scenario FOR EACH ROW WHEN (
    OLD.base_id <> NEW.base_id OR OLD.profile_id <> NEW.profile_id
    OR (OLD.persona <> '' AND OLD.persona <> NEW.persona)
    OR (OLD.anchors <> '[]' AND OLD.anchors <> NEW.anchors)
    OR (OLD.target_system_prompt <> '' AND OLD.target_system_prompt <> NEW.target_system_prompt)
    OR (OLD.turns IS NOT NULL AND OLD.turns IS DISTINCT FROM NEW.turns)
) EXECUTE FUNCTION impactbench_scenario_stays();

CREATE FUNCTION impactbench_base_scenario_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM evaluation_scenario scenario JOIN evaluation_conversation conversation
               ON conversation.scenario_id = scenario.id WHERE scenario.base_id = OLD.id) THEN
        RAISE EXCEPTION 'a row of evaluation_basescenario is frozen: conversations were planned with it'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER stays_frozen BEFORE UPDATE ON evaluation_basescenario FOR EACH ROW WHEN (
    OLD.metric_version_id <> NEW.metric_version_id OR OLD.number <> NEW.number
    OR (OLD.persona <> '' AND OLD.persona <> NEW.persona)
    OR (OLD.goal <> '' AND OLD.goal <> NEW.goal)
    OR (OLD.latent_adversarial_goal <> '' AND OLD.latent_adversarial_goal <> NEW.latent_adversarial_goal)
    OR (OLD.anchors <> '[]' AND OLD.anchors <> NEW.anchors)
) EXECUTE FUNCTION impactbench_base_scenario_stays();
"""

ENDS = """
DROP TRIGGER ends_once ON evaluation_conversation;
CREATE TRIGGER ends_once BEFORE UPDATE ON evaluation_conversation FOR EACH ROW
    WHEN (OLD.state IN ('finished', 'failed', 'extra') AND NEW.state IS DISTINCT FROM OLD.state
        AND NOT (OLD.state = 'failed' AND NEW.state = 'running'))
    EXECUTE FUNCTION impactbench_refuse();
"""

BACK = """
DROP TRIGGER stays_frozen ON evaluation_judgment;
DROP TRIGGER never_goes ON evaluation_judgment;
DROP FUNCTION impactbench_turn_goes() CASCADE;
DROP FUNCTION impactbench_scenario_stays() CASCADE;
DROP FUNCTION impactbench_base_scenario_stays() CASCADE;
DROP TRIGGER ends_once ON evaluation_conversation;
CREATE TRIGGER ends_once BEFORE UPDATE ON evaluation_conversation FOR EACH ROW
    WHEN (OLD.state IN ('finished', 'failed', 'extra') AND NEW.state IS DISTINCT FROM OLD.state)
    EXECUTE FUNCTION impactbench_refuse();
"""


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0011_concurrency_of_a_run")]

    operations = [
        migrations.AddField(
            model_name="judgment",
            name="ask_again",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunSQL(TURNS + JUDGMENTS + SCENARIOS + ENDS, reverse_sql=BACK),
    ]
