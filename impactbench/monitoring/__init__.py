"""Numbers for those who keep the platform running, in the form that Prometheus reads."""
