"""Tags and filters of the portal's pages."""
