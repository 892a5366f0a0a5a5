"""The web server's entry point; it joins the embedded servers where none are configured, and migrates."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "impactbench.settings.dev")

application = get_wsgi_application()

import impactbench.celery  # noqa: E402  (tasks find their broker through it)
import impactbench.urls  # noqa: E402, F401  (loads the pages now, and not while the first visitor waits)
from impactbench.common.model_keys import forget_model_keys  # noqa: E402  (the settings must be loaded first)
from impactbench.common.readiness import prepare  # noqa: E402  (the settings must be loaded first)

# Held for the life of the process: the servers stop when the last holder is gone.
lease = prepare()
forget_model_keys(os.environ)
