"""Let a draft be the variant of a base scenario that there is already, such as the adult twin of an imported one."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0018_drafts_of_taxonomies")]

    operations = [
        migrations.AddField(
            model_name="generateddraft",
            name="base_scenario",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="drafted_variants",
                to="evaluation.basescenario",
            ),
        ),
        migrations.AddConstraint(
            model_name="generateddraft",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "variant"), models.Q(("base", None), ("base_scenario", None), _connector="XOR")),
                    models.Q(models.Q(("kind", "variant"), _negated=True), ("base", None), ("base_scenario", None)),
                    _connector="OR",
                ),
                name="generated_variant_has_one_base",
            ),
        ),
        migrations.AddConstraint(
            model_name="generateddraft",
            constraint=models.UniqueConstraint(
                condition=models.Q(("became", ""), ("kind", "variant"), models.Q(("state", "removed"), _negated=True)),
                fields=("base_scenario", "profile"),
                name="missing_variant_once_a_profile",
            ),
        ),
    ]
