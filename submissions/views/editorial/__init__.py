"""Pages on which editors add to public pages: content notices, case studies, replies of providers."""
