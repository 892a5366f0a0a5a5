"""How the documentation becomes a site: `make docs`."""

project = "ImpactBench"
html_title = "ImpactBench documentation"
extensions = ["myst_parser"]
exclude_patterns = ["_theme", "recipes"]
root_doc = "index"

# Links lead to headings by the names that a reader of the files on their own sees.
myst_heading_anchors = 4
# Every warning is an error (`-W` in the Makefile): a link, an anchor or a picture that is not there.
nitpicky = True

html_theme = "impactbench"
html_theme_path = ["_theme"]
html_sidebars: dict[str, list[str]] = {"**": []}
html_use_index = False
html_domain_indices = False
html_copy_source = False
html_show_sourcelink = False
html_permalinks_icon = "#"
pygments_style = "bw"
highlight_language = "none"
