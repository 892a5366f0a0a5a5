"""What people do in studies, and what is done with their answers; each act is in the audit trail."""
