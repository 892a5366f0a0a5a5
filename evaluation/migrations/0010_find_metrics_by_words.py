"""An index of the words of metrics, and the means to find names that are spelled almost right."""

import django.contrib.postgres.indexes
import django.contrib.postgres.search
from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0009_reviewers_of_a_text")]

    operations = [
        # A trusted extension: the owner of the database may add it.
        TrigramExtension(),
        migrations.AddIndex(
            model_name="metricversion",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.search.CombinedSearchVector(
                    django.contrib.postgres.search.SearchVector("plain_name", "name", config="english", weight="A"),
                    "||",
                    django.contrib.postgres.search.SearchVector(
                        "plain_definition", "definition", config="english", weight="B"
                    ),
                    django.contrib.postgres.search.SearchConfig("english"),
                ),
                name="metric_version_words",
            ),
        ),
    ]
