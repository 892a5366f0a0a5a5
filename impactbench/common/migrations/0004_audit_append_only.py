"""The audit trail is append-only, in the database itself."""

from django.db import migrations

FORWARDS = """
CREATE FUNCTION common_auditevent_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- People's names may give way to pseudonyms, and the link to a deleted account may end; nothing else changes.
    IF TG_OP = 'UPDATE'
        AND (NEW.actor_id IS NULL OR NEW.actor_id IS NOT DISTINCT FROM OLD.actor_id)
        AND to_jsonb(NEW) - ARRAY['actor_id', 'actor_name', 'target_name']
          = to_jsonb(OLD) - ARRAY['actor_id', 'actor_name', 'target_name']
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the audit trail is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER common_auditevent_append_only BEFORE UPDATE OR DELETE ON common_auditevent
    FOR EACH ROW EXECUTE FUNCTION common_auditevent_append_only();
"""
BACKWARDS = """
DROP TRIGGER common_auditevent_append_only ON common_auditevent;
DROP FUNCTION common_auditevent_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("common", "0003_audit_request_id"),
    ]

    operations = [
        migrations.RunSQL(FORWARDS, BACKWARDS),
    ]
