"""Addresses for experts who submit."""

from django.urls import URLPattern, path

from submissions.views.authors import (
    acts,
    autosave,
    begin,
    conflict,
    files,
    form,
    invitations,
    letters,
    lists,
    pages,
    versions,
)

urlpatterns: list[URLPattern] = [
    path("submit/", begin.submit, name="submit"),
    path("submissions/", lists.submissions, name="submissions"),
    path("submissions/invitations/<str:token>/", invitations.invitation, name="invitation"),
    path("submissions/<str:public_id>/", pages.submission_page, name="submission"),
    path("submissions/<str:public_id>/edit/", form.edit, name="edit"),
    path("submissions/<str:public_id>/save/", autosave.save, name="save"),
    path("submissions/<str:public_id>/near/", autosave.near, name="near"),
    path("submissions/<str:public_id>/lint/", autosave.lint, name="lint"),
    path("submissions/<str:public_id>/compare/", conflict.compare_local, name="compare"),
    path("submissions/<str:public_id>/resolve/", conflict.resolve_conflict, name="resolve"),
    path("submissions/<str:public_id>/preview/", pages.preview, name="preview"),
    path("submissions/<str:public_id>/sent/<int:number>/", pages.sent, name="sent"),
    path("submissions/<str:public_id>/changes/", pages.changes_page, name="changes"),
    path("submissions/<str:public_id>/answers/", acts.answers, name="answers"),
    path("submissions/<str:public_id>/versions/", versions.versions, name="versions"),
    path("submissions/<str:public_id>/versions/<int:number>/", versions.version, name="version"),
    path("submissions/<str:public_id>/files/<int:key>/", files.attachment, name="attachment"),
    path("submissions/<str:public_id>/mails/", letters.mails, name="mails"),
    path("submissions/<str:public_id>/withdraw/", acts.withdraw_page, name="withdraw"),
    path("submissions/<str:public_id>/discard/", acts.discard, name="discard"),
    path("submissions/<str:public_id>/restore/", acts.restore, name="restore"),
    path("submissions/<str:public_id>/time/", acts.more_time, name="more_time"),
    path("submissions/<str:public_id>/public-status/", acts.public_status, name="public_status"),
    path("submissions/<str:public_id>/call/", acts.change_call, name="change_call"),
]
