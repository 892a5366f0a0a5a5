"""Who uses ImpactBench: users who sign in by e-mail, the roles they hold, and the tokens of their programs."""

from datetime import timedelta
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import salted_hmac


class UserManager(BaseUserManager["User"]):
    """Makes users; an address is kept in the form in which it is compared."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """A new user; without a password the account can only be entered by a link."""
        if not email:
            raise ValueError("A user needs an e-mail address.")
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def by_email(self, email: str) -> "User | None":
        """The user of an address, whatever its capitals."""
        return self.filter(email__iexact=email).first()


class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account, known by an e-mail address, and what the person says of themselves.

    An erased account keeps its row, so that what was written under it stays one person's work.
    """

    email = models.EmailField("e-mail address", unique=True)
    name = models.CharField(max_length=200, blank=True)
    affiliation = models.CharField(max_length=300, blank=True)
    expertise = models.TextField(max_length=5000, blank=True)
    # A code of ISO 3166, and a name of the IANA time zone database; empty = not said.
    country = models.CharField(max_length=2, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    conflicts_of_interest = models.TextField(max_length=5000, blank=True)
    wants_to_review = models.BooleanField(default=False)
    # The kinds of mail (impactbench.common.mail) that this person does not want.
    muted_mail_kinds = models.JSONField(default=list, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)
    is_active = models.BooleanField(default=True)
    joined_at = models.DateTimeField(default=timezone.now)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_unique_in_any_case")]

    def __str__(self) -> str:
        # SECURITY: this reaches audit trails and messages, so it must name neither the person nor the address.
        return f"account {self.pk}"

    @property
    def roles(self) -> frozenset[str]:
        """The roles held; read once for each user object, and each request has an object of its own."""
        if not hasattr(self, "_roles"):
            self._roles = frozenset(self.role_grants.values_list("role", flat=True))
        return self._roles

    def has_role(self, role: str) -> bool:
        """True when the user holds the role."""
        return role in self.roles

    def forget_roles(self) -> None:
        """Read the roles anew when they are asked for next."""
        self.__dict__.pop("_roles", None)

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        self.forget_roles()
        super().refresh_from_db(*args, **kwargs)

    def _get_session_auth_hash(self, secret: str | None = None) -> str:
        """A change of the address ends all other sessions, as Django does for a change of the password."""
        salt = "impactbench.accounts.session"
        return salted_hmac(salt, f"{self.password} {self.email}", secret=secret, algorithm="sha256").hexdigest()


class RoleGrant(models.Model):
    """One role of one user; changed only by `services.grant_role` and `services.revoke_role`."""

    class Role(models.TextChoices):
        EXPERT = "expert"
        REVIEWER = "reviewer"
        EDITOR = "editor"
        OPERATOR = "operator"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="role_grants")
    role = models.CharField(max_length=20, choices=Role)
    granted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "role"], name="role_granted_once"),
            models.CheckConstraint(
                condition=models.Q(role__in=["expert", "reviewer", "editor", "operator"]),
                name="role_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role}"


class AccessToken(models.Model):
    """What a program of a person shows the API instead of a password; changed by `tokens.services` alone.

    Its text is not kept: `digest` finds it again, `beginning` lets its owner tell it from others.
    """

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="access_tokens")
    name = models.CharField(max_length=100)
    beginning = models.CharField(max_length=10)
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=40))
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    # A day and no moment: when somebody works is nobody's business.
    last_used_on = models.DateField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(expires_at__gt=models.F("created_at"))
                & models.Q(expires_at__lte=models.F("created_at") + timedelta(days=366)),
                name="token_lives_a_year_at_most",
            ),
            models.CheckConstraint(condition=models.Q(scopes__len__gt=0), name="token_allows_something"),
        ]

    def __str__(self) -> str:
        # SECURITY: this reaches audit trails, so it holds nothing of the token and nothing that its owner wrote.
        return f"token {self.pk}"

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()

    @property
    def is_alive(self) -> bool:
        """Whether it opens anything; its owner's account and roles are asked besides."""
        return self.revoked_at is None and not self.is_expired


class KeptAnswer(models.Model):
    """What a person's program was told when it made something under an `Idempotency-Key`; written by `api.once` alone.

    The key itself is not kept: programs make keys of whatever they like. `body` is the JSON as it was sent.
    """

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="kept_answers")
    key_digest = models.CharField(max_length=64)
    request_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    location = models.CharField(max_length=200)
    body = models.TextField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "key_digest"], name="answer_kept_once")]

    def __str__(self) -> str:
        return f"answer {self.pk}"
