"""Settings of the tests and static checks: real servers, no secrets, plain static files."""

from impactbench.settings.base import *  # noqa: F403

DEBUG = False
SECRET_KEY = "tests-only"  # noqa: S105  # nosec B105
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
# A static file is looked up when it is asked for, and not all of them anew for each client of each test.
WHITENOISE_AUTOREFRESH = True
# A test may read a code in the last moment of its 30 seconds.
MFA_TOTP_TOLERANCE = 1
# Tests of properties ask thousands of times from one address.
API_REQUESTS_A_MINUTE = 0
API_TOKEN_REQUESTS_A_MINUTE = 0
STATIC_ROOT = None
# Pages are the same whether or not somebody has built the documentation.
WHITENOISE_ROOT = None
# No test meets the files of somebody's own releases.
SNAPSHOTS = IMPACTBENCH_HOME / "snapshots-of-tests"  # noqa: F405
# Tests write and read at once, and what they write in a transaction is never told; those of the cache switch these on.
PAGE_CACHE = False
PAGE_VERSION_FOLLOWS_WRITES = False
