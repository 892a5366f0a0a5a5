"""The default: one machine, embedded servers, a secret of its own, no settings needed."""

from impactbench.settings.base import *  # noqa: F403
from impactbench.settings.base import IMPACTBENCH_HOME
from impactbench.settings.env import env_bool, env_secret
from impactbench.settings.local_secret import local_secret

DEBUG = env_bool("DEBUG", False)
SECRET_KEY = env_secret("SECRET_KEY", "") or local_secret(IMPACTBENCH_HOME)
# Static files straight from static/: nothing to collect before the first page.
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
STATIC_ROOT = None
