"""Find what is left of a run in the order in which it is claimed, without passing all that is done."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0016_releases_asked_for_on_pages")]

    operations = [
        migrations.AddIndex(
            model_name="conversation",
            index=models.Index(
                condition=models.Q(is_judged=False, state__in=["pending", "running", "finished"]),
                fields=["run", "id"],
                name="conversation_left_in_order",
            ),
        ),
        migrations.RemoveIndex(model_name="conversation", name="conversation_work_left"),
    ]
