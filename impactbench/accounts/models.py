"""Who uses ImpactBench: users who sign in by e-mail, and the roles they hold."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone


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
    """A person with an account, known by an e-mail address."""

    email = models.EmailField("e-mail address", unique=True)
    name = models.CharField(max_length=200, blank=True)
    is_active = models.BooleanField(default=True)
    joined_at = models.DateTimeField(default=timezone.now)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"

    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_unique_in_any_case")]

    def __str__(self) -> str:
        return self.email

    def has_role(self, role: str) -> bool:
        """True when the user holds the role; one query for each user object."""
        if not hasattr(self, "_roles"):
            self._roles = frozenset(self.role_grants.values_list("role", flat=True))
        return role in self._roles


class RoleGrant(models.Model):
    """One role of one user; changed only by `services.grant_roles`."""

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
