"""Where people belong, as far as their e-mail addresses show it."""

from impactbench.accounts.models import User

# Anyone may have an address there, so it says nothing about who works with whom.
PUBLIC_PROVIDERS = frozenset(
    {
        "gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "msn.com", "yahoo.com", "icloud.com",
        "me.com", "mac.com", "aol.com", "gmx.com", "gmx.de", "gmx.net", "web.de", "proton.me", "protonmail.com",
        "pm.me", "mail.com", "zoho.com", "yandex.com", "yandex.ru", "mail.ru", "qq.com", "163.com", "126.com",
        "fastmail.com", "tutanota.com", "orange.fr", "free.fr", "t-online.de", "hey.com",
    }
)  # fmt: skip


def verified_domains(user: User) -> list[str]:
    """The domains of the person's verified addresses, lower case and in order, without public mail providers."""
    domains = {address.rpartition("@")[2].lower() for address in verified_addresses(user)}
    return sorted(domain for domain in domains if domain and domain not in PUBLIC_PROVIDERS)


def verified_addresses(user: User) -> list[str]:
    """The addresses the person has shown to be theirs, lower case."""
    return [user.email.lower()]


def all_addresses(user: User) -> list[str]:
    """Every address of the person, lower case, verified or not: for conflicts, an unconfirmed one counts as well."""
    return [user.email.lower()]
