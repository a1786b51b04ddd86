"""How Sphinx builds the site: ``python -m sphinx -W docs site``."""

from importlib.metadata import version as version_of

project = "osmosis-solver"
version = release = version_of("osmosis-solver")
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = "Osmosis, solved"
exclude_patterns = ["conf.py"]

# The pages are Markdown that reads well as it stands; {eval-rst} is for autodoc alone.
myst_heading_anchors = 3

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 80
