"""Keep what people rated: items stay as they were drawn, ratings and adjudications are not lost, findings do not change.

A rater may withdraw a rating before the study is published; it then keeps its place and loses its answers.
"""

from django.db import migrations

ITEMS = """
CREATE FUNCTION impactbench_study_item_goes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM evaluation_study WHERE id = OLD.study_id AND state <> 'draft') THEN
        RAISE EXCEPTION 'a row of evaluation_studyitem is frozen: the study is open'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN OLD;
END $$;
CREATE TRIGGER never_goes BEFORE DELETE ON evaluation_studyitem
    FOR EACH ROW EXECUTE FUNCTION impactbench_study_item_goes();
CREATE TRIGGER stays_frozen BEFORE UPDATE ON evaluation_studyitem
    FOR EACH ROW EXECUTE FUNCTION impactbench_refuse();
"""

STUDIES = """
CREATE TRIGGER stays_frozen BEFORE UPDATE ON evaluation_study FOR EACH ROW WHEN (
    (OLD.state <> 'draft' AND (
        OLD.kind <> NEW.kind OR OLD.design <> NEW.design OR OLD.seed <> NEW.seed
        OR OLD.sampling_frame <> NEW.sampling_frame OR OLD.consent_text <> NEW.consent_text))
    OR (OLD.state = 'published' AND (NEW.state <> 'published' OR OLD.analysis <> NEW.analysis))
) EXECUTE FUNCTION impactbench_refuse();
"""

RATINGS = """
CREATE TRIGGER never_goes BEFORE DELETE ON evaluation_rating FOR EACH ROW
    WHEN (OLD.state <> 'draft') EXECUTE FUNCTION impactbench_refuse();
CREATE FUNCTION impactbench_rating_stays() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    study_state text;
BEGIN
    IF NEW.state = OLD.state AND NEW.answers = OLD.answers AND NEW.item_id = OLD.item_id
        AND NEW.rater_id = OLD.rater_id THEN
        RETURN NEW;
    END IF;
    SELECT study.state INTO study_state FROM evaluation_study study
        JOIN evaluation_studyitem item ON item.study_id = study.id WHERE item.id = OLD.item_id;
    IF NEW.item_id = OLD.item_id AND NEW.rater_id = OLD.rater_id AND (
        study_state = 'open' OR (NEW.state = 'dropped' AND study_state = 'closed')) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a row of evaluation_rating is frozen: the study is %', study_state
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER stays_frozen BEFORE UPDATE ON evaluation_rating
    FOR EACH ROW EXECUTE FUNCTION impactbench_rating_stays();
CREATE FUNCTION impactbench_rating_fits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM evaluation_studyitem item JOIN evaluation_studyrater rater
                   ON rater.study_id = item.study_id WHERE item.id = NEW.item_id AND rater.id = NEW.rater_id) THEN
        RAISE EXCEPTION 'a rating joins an item and a rater of one study'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER is_of_one_study BEFORE INSERT ON evaluation_rating
    FOR EACH ROW EXECUTE FUNCTION impactbench_rating_fits();
"""

# Only the account of who decided may go, when that person is erased.
ADJUDICATIONS = """
CREATE TRIGGER never_goes BEFORE DELETE ON evaluation_adjudication
    FOR EACH ROW EXECUTE FUNCTION impactbench_refuse();
CREATE TRIGGER stays_frozen BEFORE UPDATE ON evaluation_adjudication FOR EACH ROW WHEN (
    OLD.item_id <> NEW.item_id OR OLD.outcome <> NEW.outcome OR OLD.reasons <> NEW.reasons
    OR OLD.made_at <> NEW.made_at OR (NEW.by_id IS NOT NULL AND OLD.by_id IS DISTINCT FROM NEW.by_id)
) EXECUTE FUNCTION impactbench_refuse();
"""

FINDINGS = """
CREATE TRIGGER never_goes BEFORE DELETE ON evaluation_studyfinding
    FOR EACH ROW EXECUTE FUNCTION impactbench_refuse();
CREATE TRIGGER stays_frozen BEFORE UPDATE ON evaluation_studyfinding
    FOR EACH ROW EXECUTE FUNCTION impactbench_refuse();
"""

BACK = """
DROP FUNCTION impactbench_study_item_goes() CASCADE;
DROP FUNCTION impactbench_rating_stays() CASCADE;
DROP FUNCTION impactbench_rating_fits() CASCADE;
DROP TRIGGER stays_frozen ON evaluation_studyitem;
DROP TRIGGER stays_frozen ON evaluation_study;
DROP TRIGGER never_goes ON evaluation_rating;
DROP TRIGGER never_goes ON evaluation_adjudication;
DROP TRIGGER stays_frozen ON evaluation_adjudication;
DROP TRIGGER never_goes ON evaluation_studyfinding;
DROP TRIGGER stays_frozen ON evaluation_studyfinding;
"""


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0020_studies")]

    operations = [migrations.RunSQL(STUDIES + ITEMS + RATINGS + ADJUDICATIONS + FINDINGS, reverse_sql=BACK)]
