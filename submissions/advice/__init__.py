"""Help while one writes: plain functions over text that know neither the web nor the database."""
