"""Where somebody finds help who needs it now; honest for every country, so no number of a single one stands here."""

# A directory of free helplines in many countries, kept by somebody else; a link and nothing more.
DIRECTORY = "https://findahelpline.com/"
DIRECTORY_NAME = "findahelpline.com"
