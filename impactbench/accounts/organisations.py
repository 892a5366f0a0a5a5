"""Where people belong, as far as their e-mail addresses show it."""

from typing import Any

from allauth.account.models import EmailAddress

# Anyone may have an address there, so it says nothing about who works with whom.
PUBLIC_PROVIDERS = frozenset(
    """
    126.com 163.com aol.com bluewin.ch comcast.net duck.com fastmail.com fastmail.fm free.fr gmail.com gmx.at gmx.ch
    gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.fr hotmail.it
    hushmail.com icloud.com inbox.lv laposte.net libero.it live.co.uk live.com live.fr live.nl mac.com mail.com mail.de
    mail.ru mailbox.org me.com msn.com naver.com orange.fr outlook.com outlook.de outlook.es outlook.fr outlook.it
    pm.me posteo.de posteo.net proton.me protonmail.ch protonmail.com qq.com rediffmail.com riseup.net seznam.cz
    sina.com t-online.de tuta.io tutanota.com tutanota.de uol.com.br verizon.net virgilio.it wanadoo.fr web.de
    yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it yandex.com
    yandex.ru yeah.net ymail.com zoho.com
    """.split()  # noqa: SIM905  (a list of quoted words is harder to read)
)


def verified_domains(user: Any) -> list[str]:
    """The domains of the person's verified addresses, lower case and in order, without public mail providers."""
    domains = {address.rpartition("@")[2] for address in verified_addresses(user)}
    return sorted(domains - PUBLIC_PROVIDERS)


def verified_addresses(user: Any) -> list[str]:
    """The addresses the person has shown to be theirs, lower case and in order."""
    addresses = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    return sorted(address.lower() for address in addresses)


def all_addresses(user: Any) -> list[str]:
    """Every address of the person, lower case, verified or not: for conflicts, an unconfirmed one counts as well."""
    addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    return sorted({user.email.lower(), *(address.lower() for address in addresses)})
