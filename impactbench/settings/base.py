"""Settings that hold everywhere; development, test and production add what differs."""

from pathlib import Path
from typing import Any

from impactbench import embedded
from impactbench.settings.broker import broker_from_url
from impactbench.settings.database import database_from_url
from impactbench.settings.env import env_bool, env_choice, env_int, env_list, env_path, env_secret, env_text, env_usd
from impactbench.settings.orcid import orcid_providers
from impactbench.settings.periodic import every

BASE_DIR = Path(__file__).resolve().parent.parent.parent

# Where the embedded servers, outgoing mail without a mail server and the local secret live.
IMPACTBENCH_HOME = env_path("IMPACTBENCH_HOME", BASE_DIR / ".impactbench")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.usersessions",
    "impactbench.accounts",
    "impactbench.accounts.oidc",
    "impactbench.common",
    "evaluation",
    "submissions",
    "labels",
]

MIDDLEWARE = [
    "impactbench.monitoring.requests.measure",
    "impactbench.common.request_ids.request_id",
    # Before everything that costs time; answers it gives carry what the others would have added.
    "impactbench.page_cache.middleware.page_cache",
    "impactbench.middleware.Compression",
    "django.middleware.http.ConditionalGetMiddleware",
    # Outside of what redirects to TLS, so that this answer carries them too.
    "impactbench.middleware.content_security_policy",
    "impactbench.middleware.isolation",
    "impactbench.accounts.plain_http.api_needs_tls",
    "django.middleware.security.SecurityMiddleware",
    "impactbench.middleware.no_zero_character",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "impactbench.accounts.middleware.session_limits",
    "impactbench.accounts.alarms.refused_access",
    "allauth.account.middleware.AccountMiddleware",
    "impactbench.accounts.middleware.SignInRequired",
    "impactbench.accounts.middleware.SecondFactorRequired",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "impactbench.urls"
WSGI_APPLICATION = "impactbench.wsgi.application"
ASGI_APPLICATION = "impactbench.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "django.template.loaders.filesystem.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
        },
    }
]

# --- Servers: what is named in the environment, else our own embedded ones

DATABASE_URL = env_secret("DATABASE_URL", "")
REDIS_URL = env_secret("REDIS_URL", "")
USES_EMBEDDED_POSTGRES = not DATABASE_URL
USES_EMBEDDED_VALKEY = not REDIS_URL

DATABASES: dict[str, dict[str, Any]] = {
    "default": database_from_url(DATABASE_URL or embedded.database_url(IMPACTBENCH_HOME))
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL or embedded.redis_url(IMPACTBENCH_HOME),
        "KEY_PREFIX": "impactbench",
    }
}

# Another start of the web server may bring other templates; docker/gunicorn.conf.py gives each a name of its own.
PAGE_CACHE_EDITION = env_text("PAGE_CACHE_EDITION", "")
# Finished public pages are kept and sent again (impactbench.page_cache); off where whoever edits a template sees it.
PAGE_CACHE = env_bool("PAGE_CACHE", bool(PAGE_CACHE_EDITION))
# Every process says so when it writes what they show, whether or not it keeps any itself.
PAGE_VERSION_FOLLOWS_WRITES = True
# Tables with these beginnings hold what public pages show: whoever writes to one makes kept pages old.
SHOWN_TABLES = (
    "evaluation_",
    "submissions_case",
    "submissions_providerreply",
    "submissions_replyversion",
    "submissions_suggestion",
)
# Written all the time while a run or a study goes on. What is public of them belongs to a release or a published
# study, whose own tables tell.
TABLES_IN_MOTION = frozenset({"evaluation_conversation", "evaluation_turn", "evaluation_judgment", "evaluation_rating"})

CELERY_BROKER_URL = broker_from_url(REDIS_URL) if REDIS_URL else embedded.broker_url(IMPACTBENCH_HOME)
# No pickle: whoever reaches the broker must not be able to run code.
CELERY_TASK_SERIALIZER = "json"
CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "impactbench"
# The queue of mails, reminders and trials: short work that must not wait behind a run.
PORTAL_QUEUE = "portal"
CELERY_TASK_ROUTES = {name: {"queue": PORTAL_QUEUE} for name in ("common.*", "labels.*", "submissions.*")}
# What the clock asks for, {name: every(seconds, task, queue)}; each task may run twice, or late, without harm.
CELERY_BEAT_SCHEDULE: dict[str, Any] = {
    "deliver-mail": every(60, "common.deliver_mail", PORTAL_QUEUE),
    "end-stale-trials": every(60, "submissions.end_stale_trials", PORTAL_QUEUE),
    "publish-what-waits": every(60, "evaluation.publish_what_waits", PORTAL_QUEUE),
    "release-due-decisions": every(60, "submissions.release_due_decisions", PORTAL_QUEUE),
    "keep-reviews-going": every(3600, "submissions.keep_reviews_going", PORTAL_QUEUE),
    "keep-machine-studies-going": every(60, "evaluation.keep_machine_studies_going", PORTAL_QUEUE),
    "keep-schedules-going": every(300, "evaluation.keep_schedules_going", PORTAL_QUEUE),
    "forget-ended-sessions": every(3600, "accounts.forget_ended_sessions", PORTAL_QUEUE),
    "forget-old-letters": every(3600, "common.forget_old_letters", PORTAL_QUEUE),
    "forget-old-drafts": every(3600, "submissions.forget_old_drafts", PORTAL_QUEUE),
    "forget-old-answers": every(3600, "accounts.forget_old_answers", PORTAL_QUEUE),
    "keep-snapshots": every(300, "labels.keep_snapshots", PORTAL_QUEUE),
    "keep-studies-going": every(3600, "evaluation.keep_studies_going", PORTAL_QUEUE),
}
# The timetable lives in memory: a file of it breaks when two clocks share it or one is killed, and then none ticks.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
# Whether the web server starts workers beside itself (impactbench.standing_workers): yes where the broker is ours too.
STANDING_WORKER = env_bool("STANDING_WORKER", USES_EMBEDDED_VALKEY)
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600}
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# --- People: signing in

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
CSRF_FAILURE_VIEW = "impactbench.accounts.views.refusals.csrf_failure"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("email", "name")},
    },
    {"NAME": "impactbench.accounts.passwords.WordsOfTheSite"},
]

# Everything else asks for an account (impactbench.accounts.middleware), unless a view is marked `login_not_required`.
PUBLIC_NAMESPACES = ["labels", "api"]
# A form sent under these addresses by somebody who is signed out, or with an old token, comes back with its text.
TEXT_IS_KEPT_UNDER = ("/submit/", "/submissions/", "/review/", "/studies/", "/runs/")

# A session ends after so long without a visit, and after so long in any case; a change of password or address, signing
# out and /accounts/sessions/ end it earlier.
SESSION_COOKIE_AGE = env_int("SESSION_IDLE_DAYS", 7, at_least=1) * 86_400
SESSION_LIFETIME_SECONDS = env_int("SESSION_DAYS", 30, at_least=1) * 86_400

# Editors and operators see nothing that needs their role before they have set up a second factor.
REQUIRE_SECOND_FACTOR = env_bool("REQUIRE_SECOND_FACTOR", False)
SECOND_FACTOR_ROLES = ("editor", "operator")

ACCOUNT_ADAPTER = "impactbench.accounts.adapters.AccountAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_SIGNUP_REDIRECT_URL = "/accounts/profile/"
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 600
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_SESSION_REMEMBER = True
# On top of the library's own limits for failed sign-ins, codes and re-authentication; counted in the cache.
ACCOUNT_RATE_LIMITS = {"login": "30/m/ip", "signup": "20/m/ip,60/h/ip", "reset_password": "20/m/ip,5/m/key"}  # nosec B105
# How many proxies of ours append to X-Forwarded-For; limits count the address that the outermost of them saw.
ALLAUTH_TRUSTED_PROXY_COUNT = env_int("TRUSTED_PROXY_COUNT", 0, at_least=0)

MFA_ADAPTER = "impactbench.accounts.adapters.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "ImpactBench"
# A code is good for its own 30 seconds and no more.
MFA_TOTP_TOLERANCE = 0

# ORCID, when an operator has registered this site there. Accounts are linked by the iD alone, never by an address.
SOCIALACCOUNT_ADAPTER = "impactbench.accounts.adapters.OrcidAdapter"
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_PROVIDERS = orcid_providers(
    client_id=env_text("ORCID_CLIENT_ID", ""),
    secret=env_secret("ORCID_CLIENT_SECRET", ""),
    server=env_text("ORCID_SERVER", "https://orcid.org"),
)

# --- Mail: a server where one is named, else files under IMPACTBENCH_HOME/mail

EMAIL_HOST = env_text("EMAIL_HOST", "")
EMAIL_PORT = env_int("EMAIL_PORT", 587, at_least=1)
EMAIL_HOST_USER = env_text("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = env_secret("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = EMAIL_PORT == 587
EMAIL_USE_SSL = EMAIL_PORT == 465
EMAIL_TIMEOUT = 20
EMAIL_BACKEND = (
    "django.core.mail.backends.smtp.EmailBackend" if EMAIL_HOST else "django.core.mail.backends.filebased.EmailBackend"
)
EMAIL_FILE_PATH = str(IMPACTBENCH_HOME / "mail")
DEFAULT_FROM_EMAIL = env_text("DEFAULT_FROM_EMAIL", "ImpactBench <noreply@localhost>")

# --- Language, time, files

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
# English only so far; every string of the public pages is marked, so a translation is a file and no change of code.
USE_I18N = True
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]

STATIC_URL = "/static/"
STATIC_ROOT: Path | None = BASE_DIR / "staticroot"
STATICFILES_DIRS = [BASE_DIR / "static"]
# The documentation under /docs/, where `make docs` has built it.
WHITENOISE_ROOT = BASE_DIR / "site" if (BASE_DIR / "site").is_dir() else None
WHITENOISE_INDEX_FILE = True
# What people sent (impactbench.common.private_files); never served by itself.
PRIVATE_FILES = IMPACTBENCH_HOME / "files"
# Releases as files for everybody (labels.snapshots); what is lost here is made again.
SNAPSHOTS = IMPACTBENCH_HOME / "snapshots"
# The dotted name of a function(content: bytes) -> bool, True for a harmless file; empty = nothing is asked.
UPLOAD_SCANNER = env_text("UPLOAD_SCANNER", "")

# Whoever sends this as a bearer token reads /monitoring; without it there is no such address.
MONITORING_TOKEN = env_secret("MONITORING_TOKEN", "")

# --- Safety

# Keys that were used before, comma-separated: what they signed or sealed is still read.
SECRET_KEY_FALLBACKS = [key.strip() for key in env_secret("SECRET_KEY_FALLBACKS", "").split(",") if key.strip()]
# How long letters are kept after they were sent, and drafts after they were last saved; 0 = for good.
LETTER_DAYS = env_int("LETTER_DAYS", 365, at_least=0)
DRAFT_DAYS = env_int("DRAFT_DAYS", 730, at_least=0)
# From so many refused requests of one person or network address within an hour on, operators are told.
REFUSALS_AN_HOUR = env_int("REFUSALS_AN_HOUR", 60, at_least=1)
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", ("localhost", "127.0.0.1", "[::1]"))
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024

# --- REST API

# Of one network address; 0 = as many as it likes.
API_REQUESTS_A_MINUTE = env_int("API_REQUESTS_A_MINUTE", 600, at_least=0)
# Of one token, on top; 0 = as many as it likes.
API_TOKEN_REQUESTS_A_MINUTE = env_int("API_TOKEN_REQUESTS_A_MINUTE", 120, at_least=0)
# Deny by default; labels.api.base.PublicView alone is open, and holds published results only. What is private asks for
# a token (impactbench.accounts.api.base.PrivateView); a session opens nothing here.
REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "ImpactBench API",
    "DESCRIPTION": "Published results of ImpactBench for everybody; submissions and imports for people with a token.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_PATCH": False,
    # Two fields of one name with choices of their own: the schema calls each by a name that lasts.
    "ENUM_NAME_OVERRIDES": {
        "CiMethodEnum": "labels.api.views.results.METHODS",
        "ReleaseStatusEnum": "evaluation.models.Release.Status",
        "AgreementCiMethodEnum": "evaluation.statistics.panel_agreement.METHODS",
    },
}

# --- Runs

# How many standing workers are asked to join in a run that the pages or `--workers 0` set going.
RUNNERS_PER_RUN = env_int("RUNNERS_PER_RUN", 2, at_least=1)
# A worker that is gone loses its conversations to others after so many seconds.
LEASE_SECONDS = env_int("LEASE_SECONDS", 20, at_least=2)
# How patient a model call is (evaluation.llm.configuration.CallPolicy).
MODEL_CALLS: dict[str, Any] = {
    "attempts": env_int("MODEL_CALL_ATTEMPTS", 5, at_least=1),
    "attempt_seconds": env_int("MODEL_CALL_SECONDS", 120, at_least=1),
    "total_seconds": env_int("MODEL_CALL_TOTAL_SECONDS", 300, at_least=1),
    "breaker_seconds": env_int("MODEL_BREAKER_SECONDS", 30, at_least=0),
}

# --- The rules of the product that an operator may set

# What trials of drafts may cost in a day of UTC: each person's, and all of them together.
TRIAL_USD_PER_PERSON = env_usd("TRIAL_USD_PER_PERSON", "1.00")
TRIAL_USD_PER_DAY = env_usd("TRIAL_USD_PER_DAY", "20.00")

# What the rounds that the clock begins within 30 days may cost together, by their budgets.
SCHEDULED_USD_PER_MONTH = env_usd("SCHEDULED_USD_PER_MONTH", "100.00")

# What a metric needs to be called expert-reviewed, and what makes it disputed (evaluation.studies.status); 0 = never.
STATUS_RULES: dict[str, Any] = {
    "least_raters": env_int("STATUS_LEAST_RATERS", 3, at_least=1),
    "least_conversations": env_int("STATUS_LEAST_CONVERSATIONS", 9, at_least=1),
    "least_relevance": env_int("STATUS_LEAST_RELEVANCE", 3, at_least=1),
    "least_adequate": env_int("STATUS_LEAST_ADEQUATE_PER_CENT", 60, at_least=0) / 100,
    "disputes_to_be_disputed": env_int("STATUS_DISPUTES", 1, at_least=0),
    "contested_to_be_disputed": env_int("STATUS_CONTESTED", 1, at_least=0),
}

# When a judge may be used: the lower end of its agreement with what people settled, and of how many conversations.
CALIBRATION_RULES: dict[str, Any] = {
    "setting": env_int("CALIBRATION_AGREEMENT_PER_CENT", 70, at_least=0) / 100,
    "least": env_int("CALIBRATION_LEAST", 30, at_least=1),
}

# A change between two releases is marked from this many percentage points on, if its interval leaves out 0.
REGRESSION_POINTS = env_int("REGRESSION_POINTS", 5, at_least=0)

# The public address that links in labels, mails and QR codes point to; empty = the address of the request.
PUBLIC_URL = env_text("PUBLIC_URL", "")
# What stands in for it outside of a request, in letters: the site on this machine.
LOCAL_URL = f"http://localhost:{env_int('PORT', 8000, at_least=1)}"

# Who runs this copy, in the operator's own words, for the pages About and How to cite; empty = said to be missing.
SITE_OPERATOR = env_text("SITE_OPERATOR", "")
SITE_CONTACT = env_text("SITE_CONTACT", "")
SITE_FUNDING = env_text("SITE_FUNDING", "")
SITE_CONFLICTS = env_text("SITE_CONFLICTS", "")
SITE_LICENCE = env_text("SITE_LICENCE", "")

# Where faults are told, for operators who run or rent a Sentry (impactbench.common.fault_reports); empty = nowhere.
SENTRY_DSN = env_secret("SENTRY_DSN", "")
SENTRY_ENVIRONMENT = env_text("SENTRY_ENVIRONMENT", "production")

# For programs that gather logs: one JSON object a line.
LOG_FORMAT = env_choice("LOG_FORMAT", "line", ("line", "json"))
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "impactbench.common.log_lines.LineFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
        },
        "json": {"()": "impactbench.common.log_lines.JsonFormatter"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    # Django's own handlers would mail whole requests, with what people wrote in them; lines on standard error do.
    # Who signs in, or tries to, is told whatever else is: by the number of an account, never by an address.
    # Requests for hosts that are not ours come by thousands, each with a traceback that tells nothing.
    "loggers": {
        "django": {"handlers": []},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        "impactbench.accounts.sign_in": {"level": "INFO"},
    },
    "root": {"handlers": ["stderr"], "level": env_text("LOG_LEVEL", "WARNING")},
}
