"""Settings behind a real address: every secret comes from the environment, everything is served over TLS."""

from impactbench.settings.base import *  # noqa: F403
from impactbench.settings.env import env_bool, env_int, env_list, env_secret

DEBUG = False
SECRET_KEY = env_secret("SECRET_KEY")
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = False

SECURE_SSL_REDIRECT = env_bool("SECURE_SSL_REDIRECT", True)
SECURE_HSTS_SECONDS = env_int("SECURE_HSTS_SECONDS", 31_536_000, at_least=0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
# Browsers' built-in lists bind a whole domain for good: whoever owns it decides, not we.
SECURE_HSTS_PRELOAD = env_bool("SECURE_HSTS_PRELOAD", False)
SILENCED_SYSTEM_CHECKS = ["security.W021"]
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
# The prefix makes browsers refuse a cookie that another host, or a page without TLS, tries to put in its place.
SESSION_COOKIE_NAME = "__Host-sessionid"
CSRF_COOKIE_NAME = "__Host-csrftoken"
REQUIRE_SECOND_FACTOR = env_bool("REQUIRE_SECOND_FACTOR", True)
if env_bool("BEHIND_PROXY", False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
