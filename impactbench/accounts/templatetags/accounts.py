"""Forms in the look of the house, and the name a person goes by."""

from typing import Any

from django import forms, template
from django.conf import settings
from django.utils.safestring import SafeString

from impactbench.accounts.naming import display_label
from impactbench.common.qr import qr_path

register = template.Library()
register.filter("display_label", display_label)

# A widget's class in components.css, by Django's name for its kind; what is not named here is a line of text.
# Words of the sign-in library that are not those of this house.
LABELS = {
    "Email": "E-mail address",
    "Password (again)": "The same password again",
    "Current Password": "Your password now",
    "New Password": "New password",
    "New Password (again)": "The new password again",
    "Authenticator code": "Code of the app",
    "Passwordless": "Sign in with it alone, without the password (a passkey)",
}
CLASSES = {"textarea": "area", "select": "select", "checkbox": "", "checkboxselectmultiple": ""}


@register.simple_tag
def mail_is_kept_here() -> bool:
    """Whether mail goes to files on this machine, because no mail server is named."""
    return settings.EMAIL_BACKEND.endswith("filebased.EmailBackend")


@register.inclusion_tag("accounts/_form.html")
def form_fields(form: forms.BaseForm) -> dict[str, Any]:
    """All fields of a form, each with label, hint and problem, under a summary of the problems."""
    return {"form": form}


@register.filter
def words_of(field: forms.BoundField) -> str:
    """The field's label."""
    return LABELS.get(str(field.label), str(field.label))


@register.simple_tag
def widget(field: forms.BoundField) -> SafeString:
    """The field's own control, without label; Django ties it to its hint and problem."""
    kind = field.widget_type
    field.field.widget.attrs.pop("placeholder", None)
    name = CLASSES.get(kind, "input")
    return field.as_widget(attrs={"class": name} if name else None)


@register.inclusion_tag("accounts/_form_errors.html")
def form_errors(form: forms.BaseForm) -> dict[str, Any]:
    """Only the problems of a form that is written out by hand."""
    return {"errors": [error for errors in form.errors.values() for error in errors]}


@register.inclusion_tag("accounts/_qr.html")
def qr(text: str, title: str) -> dict[str, Any]:
    """A QR code as an inline drawing, which needs no style and no picture from elsewhere."""
    n_modules, path = qr_path(text)
    return {"side": n_modules + 4, "path": path, "title": title}
