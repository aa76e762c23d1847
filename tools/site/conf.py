# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx's settings; tools/site/build.py copies this file next to the pages. Nothing is fetched from a network."""
import importlib.util

project = 'Argand'
copyright = 'the Argand authors, BSD-3-Clause'
extensions = ['myst_parser']
source_suffix = {'.rst': 'restructuredtext', '.md': 'markdown'}
root_doc = 'docs/index'
myst_heading_anchors = 4
myst_enable_extensions = []
highlight_language = 'none'
suppress_warnings = ['misc.highlighting_failure', 'myst.header']
smartquotes = False
nitpicky = False
html_theme = 'furo' if importlib.util.find_spec('furo') else 'alabaster'
html_title = 'Argand'
html_copy_source = False
html_show_sphinx = False
